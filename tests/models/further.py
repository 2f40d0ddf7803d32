"""Architectures beside those that the rest was made for, small: what else people export from timm, transformers and torch."""
import torch

from decoders import GROUPED, both
from language import BATCH, NO_CACHE, SMALL, text
from make import Model

MODELS = {}
LLAMA = {**SMALL, "num_key_value_heads": 2, "arguments": NO_CACHE}
GPT = {"n_embd": 64, "n_layer": 2, "n_head": 4, "arguments": NO_CACHE}
EXPERTS = {"num_experts_per_tok": 2, "moe_intermediate_size": 32, "experts_implementation": "batched_mm"}
SIDE = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}


def decoder(name, kind, dynamic=BATCH, **values):
    MODELS[name] = Model(text(f"{kind}ForCausalLM", f"{kind}{'Text' if kind == 'Gemma3' else ''}Config", "logits", **values), dynamic)


def encoder(name, kind, dynamic=BATCH, **values):
    MODELS[name] = Model(text(f"{kind}Model", f"{kind}Config", **values), dynamic)


decoder("opt_dyn", "OPT", arguments=NO_CACHE, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, ffn_dim=128, word_embed_proj_dim=64)
decoder("falcon_alibi", "Falcon", arguments=NO_CACHE, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, alibi=True, new_decoder_architecture=True, num_kv_heads=2)
decoder("gptj", "GPTJ", rotary_dim=8, **GPT)
decoder("gpt_neo", "GPTNeo", arguments=NO_CACHE, hidden_size=64, num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]], window_size=4)
decoder("qwen3moe", "Qwen3Moe", head_dim=16, num_experts=4, **EXPERTS, **LLAMA)
decoder("mixtral_bmm", "Mixtral", num_local_experts=4, experts_implementation="batched_mm", **LLAMA)
decoder("deepseek_v3", "DeepseekV3", q_lora_rank=32, kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=16, v_head_dim=16, n_routed_experts=4, n_group=2, topk_group=1,
        first_k_dense_replace=1, **EXPERTS, **{**LLAMA, "num_key_value_heads": 4})
STATES = {"dynamic": None, "batch": 1, "arguments": NO_CACHE, "hidden_size": 32, "num_hidden_layers": 2}
decoder("mamba2", "Mamba2", state_size=8, num_heads=4, head_dim=16, expand=2, n_groups=2, chunk_size=4, **STATES)
decoder("rwkv", "Rwkv", attention_hidden_size=32, **STATES)
decoder("recurrent_gemma", "RecurrentGemma", lru_width=64, attention_window_size=8, **{**LLAMA, **STATES, "hidden_size": 64, "num_hidden_layers": 3})
encoder("fnet", "FNet", None, hidden_size=64, num_hidden_layers=2, intermediate_size=128)
encoder("funnel", "Funnel", None, d_model=64, n_head=4, d_head=16, d_inner=128, block_sizes=[1, 1])
encoder("squeezebert", "SqueezeBert", embedding_size=64, **SMALL)
encoder("canine", "Canine", None, batch=1, length=32, downsampling_rate=4, local_transformer_stride=8, num_hash_buckets=64, **SMALL)
MODELS["opt_decode"] = both("OPTForCausalLM", "OPTConfig", 4, 16, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, ffn_dim=128, word_embed_proj_dim=64)
MODELS["falcon_decode"] = both("FalconForCausalLM", "FalconConfig", 1, 16, hidden_size=64, num_hidden_layers=2, num_attention_heads=4)
MODELS["phi3_decode"] = both("Phi3ForCausalLM", "Phi3Config", 2, 16, pad_token_id=0, **GROUPED)


class ToText(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, decoder_input_ids):
        return self.model(input_ids=input_ids, attention_mask=attention_mask, decoder_input_ids=decoder_input_ids, use_cache=False).logits


def to_text(name, kind, config, **values):
    def build():
        import transformers
        model = ToText(getattr(transformers, kind)(getattr(transformers, config)(vocab_size=200, **values)))
        mask = torch.ones(2, 10, dtype=torch.int64)
        mask[1, 7:] = 0
        return model, {"input_ids": torch.randint(3, 200, (2, 10)), "attention_mask": mask, "decoder_input_ids": torch.randint(3, 200, (2, 5))}
    source = {0: "batch", 1: "source"}
    MODELS[name] = Model(build, {"input_ids": source, "attention_mask": source, "decoder_input_ids": {0: "batch", 1: "target"}})


to_text("bart", "BartForConditionalGeneration", "BartConfig", d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
        encoder_ffn_dim=128, decoder_ffn_dim=128)
to_text("t5_full", "T5ForConditionalGeneration", "T5Config", d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, feed_forward_proj="gated-gelu", decoder_start_token_id=0)


class Whole(torch.nn.Module):
    """A model of transformers with all tensors that it gives, or one."""

    def __init__(self, model, name, only):
        super().__init__()
        self.model, self.name, self.only = model, name, only

    def forward(self, x):
        out = self.model(**{self.name: x})
        return out[self.only] if self.only else tuple(t for t in out.to_tuple() if isinstance(t, torch.Tensor))


def whole(name, kind, config, given, dims, dynamic=None, only=None, **values):
    def build():
        import transformers
        return Whole(getattr(transformers, kind)(getattr(transformers, config)(**values)), given, only), {"x": torch.randn(*dims)}
    MODELS[name] = Model(build, dynamic)


whole("ast_audio", "ASTModel", "ASTConfig", "input_values", (1, 64, 32), max_length=64, num_mel_bins=32, **SIDE)
whole("wavlm", "WavLMModel", "WavLMConfig", "input_values", (1, 2000), only="last_hidden_state", conv_dim=(16, 16), conv_stride=(5, 4), conv_kernel=(10, 4), num_feat_extract_layers=2,
      num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4, **SIDE)
whole("videomae", "VideoMAEModel", "VideoMAEConfig", "pixel_values", (1, 4, 3, 32, 32), only="last_hidden_state", image_size=32, patch_size=8, num_frames=4, **SIDE)
whole("patchtst", "PatchTSTForPrediction", "PatchTSTConfig", "past_values", (2, 32, 3), {"x": {0: "batch"}}, num_input_channels=3, context_length=32, patch_length=8, patch_stride=8, d_model=32,
      num_hidden_layers=2, num_attention_heads=4, ffn_dim=64, prediction_length=8)
whole("detr", "DetrForObjectDetection", "DetrConfig", "pixel_values", (1, 3, 64, 64), use_timm_backbone=False, use_pretrained_backbone=False, backbone=None, d_model=32, encoder_layers=1,
      decoder_layers=1, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_queries=5)


def image(name, size, script=False):
    def build():
        import timm
        return timm.create_model(name, pretrained=False), {"x": torch.randn(1, 3, size, size)}
    MODELS[name] = Model(build, script=script)


for kind, extent in [("coatnet_nano_rw_224", 224), ("mvitv2_tiny", 224), ("sequencer2d_s", 224), ("volo_d1_224", 224), ("focalnet_tiny_srf", 64), ("fastvit_t8", 64)]:
    image(kind, extent)
for kind, extent in [("lambda_resnet26t", 128), ("nest_tiny", 224), ("gcvit_xxtiny", 224), ("resnest14d", 64), ("swinv2_cr_tiny_224", 224)]:
    image(kind, extent, script=True)


# ---- plain torch ----

class ConvLSTM(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gates, self.out = torch.nn.Conv2d(3 + 8, 32, 3, padding=1), torch.nn.Conv2d(8, 1, 1)

    def forward(self, x):
        h = torch.zeros(x.shape[0], 8, x.shape[3], x.shape[4])
        c, seen = h, []
        for t in range(x.shape[1]):
            i, f, g, o = self.gates(torch.cat([x[:, t], h], 1)).chunk(4, 1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            seen.append(self.out(h))
        return torch.stack(seen, 1)


class Volumes(torch.nn.Module):
    def __init__(self):
        super().__init__()

        def stage(i, o):
            return torch.nn.Sequential(torch.nn.Conv3d(i, o, 3, padding=1), torch.nn.InstanceNorm3d(o, affine=True), torch.nn.LeakyReLU(0.1))
        self.first, self.second, self.third = stage(1, 8), stage(8, 16), stage(16, 8)
        self.up, self.out, self.pool = torch.nn.ConvTranspose3d(16, 8, 2, 2), torch.nn.Conv3d(8, 2, 1), torch.nn.MaxPool3d(2)

    def forward(self, x):
        a = self.first(x)
        return self.out(self.third(torch.cat([a, self.up(self.second(self.pool(a)))], 1))).softmax(1)


class PointNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.points = torch.nn.Sequential(torch.nn.Conv1d(3, 32, 1), torch.nn.BatchNorm1d(32), torch.nn.ReLU(), torch.nn.Conv1d(32, 64, 1))
        self.turn, self.out = torch.nn.Linear(64, 9), torch.nn.Linear(64, 10)

    def forward(self, p):
        turn = self.turn(self.points(p).max(2)[0]).view(-1, 3, 3) + torch.eye(3)
        return self.out(self.points(torch.bmm(turn, p)).amax(2)).log_softmax(-1)


class Transformed(torch.nn.Module):
    """Spatial transformer."""

    def __init__(self):
        super().__init__()
        self.place = torch.nn.Sequential(torch.nn.Conv2d(1, 8, 7), torch.nn.MaxPool2d(2, 2), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8 * 11 * 11, 6))

    def forward(self, x):
        grid = torch.nn.functional.affine_grid(self.place(x).view(-1, 2, 3), x.size(), align_corners=False)
        return torch.nn.functional.grid_sample(x, grid, align_corners=False, padding_mode="border")


class CodeBook(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.codes, self.up = torch.nn.Conv2d(3, 16, 4, 2, 1), torch.nn.Embedding(32, 16), torch.nn.ConvTranspose2d(16, 3, 4, 2, 1)

    def forward(self, x):
        z = self.down(x).permute(0, 2, 3, 1)
        flat, codes = z.reshape(-1, 16), self.codes.weight
        nearest = ((flat ** 2).sum(1, keepdim=True) - 2 * flat @ codes.t() + (codes ** 2).sum(1)).argmin(1)
        return self.up(self.codes(nearest).view(z.shape).permute(0, 3, 1, 2)).sigmoid(), nearest.view(z.shape[:3])


class Flow(torch.nn.Module):
    """Coupling layers of a normalising flow, with the logarithm of what they do to volumes."""

    def __init__(self):
        super().__init__()
        self.nets = torch.nn.ModuleList(torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.SiLU(), torch.nn.Linear(16, 8)) for _ in range(3))
        self.register_buffer("order", torch.randperm(8))

    def forward(self, x):
        total = 0
        for net in self.nets:
            a, b = x[:, self.order].chunk(2, 1)
            s, t = net(a).chunk(2, 1)
            s = s.tanh()
            x, total = torch.cat([a, b * s.exp() + t], 1), total + s.sum(1)
        return x, total - 0.5 * (x ** 2).sum(1)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out, self.norm = torch.nn.Linear(32, 96), torch.nn.Linear(32, 32), torch.nn.RMSNorm(32)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, t, 3, 4, 8).permute(2, 0, 3, 1, 4).unbind(0)
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(y.transpose(1, 2).reshape(b, t, 32))


class Filter(torch.nn.Module):
    """Products of spectra."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(8, 17, 2))

    def forward(self, x):
        return torch.fft.irfft(torch.view_as_complex(self.weight) * torch.fft.rfft(x), n=32)


class Labels(torch.nn.Module):
    """The likeliest labels without repetitions and blanks, in front."""

    def forward(self, x):
        best = x.argmax(-1)
        kept = torch.cat([torch.ones_like(best[:, :1], dtype=torch.bool), best[:, 1:] != best[:, :-1]], 1) & (best != 0)
        at = kept.cumsum(1) - 1
        return torch.zeros_like(best).scatter_add(1, at.clamp(min=0), torch.where(kept, best, 0)), kept.sum(1)


def plain(name, kind, dims, dynamic=None, opset=None, given="x"):
    MODELS[name] = Model(lambda: (kind(), {given: torch.randn(*dims)}), dynamic, opset=opset)


plain("convlstm", ConvLSTM, (2, 4, 3, 12, 10), opset=21)
plain("unet3d", Volumes, (1, 1, 16, 16, 16), {"x": {0: "batch"}}, 23)
plain("pointnet", PointNet, (2, 3, 50), {"p": {0: "batch", 2: "points"}}, 24, "p")
plain("stn", Transformed, (2, 1, 28, 28), {"x": {0: "batch"}}, 20)
plain("vq_vae", CodeBook, (2, 3, 16, 16), {"x": {0: "batch"}}, 19)
plain("nf_coupling", Flow, (5, 8), {"x": {0: "batch"}}, 25)
plain("mhsa_causal", Block, (2, 6, 32), {"x": {0: "batch", 1: "time"}}, 23)
plain("fft_conv", Filter, (2, 8, 32), {"x": {0: "batch"}}, 20)
plain("ctc_greedy", Labels, (2, 12, 5), {"x": {0: "batch", 1: "time"}}, 18)
