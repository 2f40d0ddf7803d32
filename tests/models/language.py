"""Encoders of text and of sound, and decoders without a cache, of transformers."""
import torch

from make import Model

BATCH = {"input_ids": {0: "batch", 1: "sequence"}, "attention_mask": {0: "batch", 1: "sequence"}}


class Text(torch.nn.Module):
    """A model of transformers by its tokens and their mask."""

    def __init__(self, model, name="last_hidden_state", **arguments):
        super().__init__()
        self.model, self.name, self.arguments = model, name, arguments

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids=input_ids, attention_mask=attention_mask, **self.arguments)[self.name]


def text(kind, config, name="last_hidden_state", batch=2, length=12, vocabulary=400, eager=False, arguments=None, **values):
    def build():
        import transformers
        made = getattr(transformers, config)(vocab_size=vocabulary, **values)
        if eager:
            made._attn_implementation = "eager"
        model = Text(getattr(transformers, kind)(made), name, **(arguments or {}))
        mask = torch.ones(batch, length, dtype=torch.int64)
        if batch > 1:
            mask[1, length - 3:] = 0
        return model, {"input_ids": torch.randint(3, vocabulary, (batch, length)), "attention_mask": mask}
    return build


SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
MINILM = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536, "vocabulary": 30522}
NO_CACHE = {"use_cache": False}
LLAMA = {**SMALL, "num_key_value_heads": 2, "arguments": NO_CACHE, "name": "logits"}


def clip_text():
    from transformers import CLIPTextConfig, CLIPTextModel
    config = CLIPTextConfig(vocab_size=1000, hidden_size=64, intermediate_size=128, num_hidden_layers=3, num_attention_heads=4, eos_token_id=999)
    return Text(CLIPTextModel(config)), {"input_ids": torch.randint(3, 900, (1, 16)), "attention_mask": torch.ones(1, 16, dtype=torch.int64)}


class Audio(torch.nn.Module):
    def __init__(self, model, name):
        super().__init__()
        self.model, self.name = model, name

    def forward(self, input_values):
        return self.model(input_values)[self.name]


def wav2vec(kind):
    def build():
        import transformers
        values = {**SMALL, "conv_dim": (32, 32, 32), "conv_stride": (5, 4, 2), "conv_kernel": (10, 4, 3), "num_feat_extract_layers": 3,
                  "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4, "vocab_size": 32}
        config = getattr(transformers, f"{kind}Config")(**values)
        return Audio(getattr(transformers, f"{kind}ForCTC")(config), "logits"), {"input_values": torch.randn(1, 4000)}
    return build


def whisper_encoder():
    from transformers import WhisperConfig, WhisperModel
    config = WhisperConfig(d_model=64, encoder_layers=2, encoder_attention_heads=4, encoder_ffn_dim=128, decoder_layers=1, decoder_attention_heads=4,
                           num_mel_bins=40, max_source_positions=200)

    class Encoder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = WhisperModel(config).encoder

        def forward(self, input_features):
            return self.model(input_features).last_hidden_state

    return Encoder(), {"input_features": torch.randn(1, 40, 400)}


def t5():
    from transformers import T5Config, T5EncoderModel
    config = T5Config(vocab_size=400, d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4)
    return Text(T5EncoderModel(config)), {"input_ids": torch.randint(3, 400, (2, 12)), "attention_mask": torch.ones(2, 12, dtype=torch.int64)}


def mamba():
    from transformers import MambaConfig, MambaModel
    config = MambaConfig(vocab_size=200, hidden_size=48, num_hidden_layers=2, state_size=8)

    class Tokens(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = MambaModel(config)

        def forward(self, input_ids):
            return self.model(input_ids, use_cache=False).last_hidden_state

    return Tokens(), {"input_ids": torch.randint(0, 200, (1, 8))}


def text_and_image():
    from transformers import CLIPConfig, CLIPModel
    side = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    config = CLIPConfig(text_config={**side, "vocab_size": 400, "eos_token_id": 399}, vision_config={**side, "image_size": 64, "patch_size": 16}, projection_dim=32)

    class Clip(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = CLIPModel(config)

        def forward(self, input_ids, attention_mask, pixel_values):
            out = self.model(input_ids=input_ids, attention_mask=attention_mask, pixel_values=pixel_values)
            return out.logits_per_image, out.text_embeds, out.image_embeds

    return Clip(), {"input_ids": torch.randint(3, 390, (2, 9)), "attention_mask": torch.ones(2, 9, dtype=torch.int64), "pixel_values": torch.rand(3, 3, 64, 64)}


MODELS = {
    "bert_minilm": Model(text("BertModel", "BertConfig", batch=1, length=32, **MINILM), tvm=True),
    "bert_minilm_dyn": Model(text("BertModel", "BertConfig", length=32, **MINILM), BATCH, tvm=True),
    "bert_eager_script": Model(text("BertModel", "BertConfig", eager=True, **SMALL), BATCH, script=True),
    "distilbert": Model(text("DistilBertModel", "DistilBertConfig", dim=64, n_layers=2, n_heads=4, hidden_dim=128), BATCH),
    "albert": Model(text("AlbertModel", "AlbertConfig", embedding_size=32, **SMALL), BATCH),
    "roberta": Model(text("RobertaModel", "RobertaConfig", **SMALL), BATCH),
    "electra": Model(text("ElectraModel", "ElectraConfig", embedding_size=32, **SMALL), BATCH),
    "mpnet": Model(text("MPNetModel", "MPNetConfig", **SMALL)),
    "deberta_v2": Model(text("DebertaV2Model", "DebertaV2Config", relative_attention=True, pos_att_type=["p2c", "c2p"], **SMALL)),
    "modernbert": Model(text("ModernBertModel", "ModernBertConfig", pad_token_id=0, bos_token_id=1, eos_token_id=2, cls_token_id=1, sep_token_id=2, **SMALL)),
    "clip_text": Model(clip_text, tvm=True),
    "clip": Model(text_and_image),
    "gpt2_small": Model(text("GPT2LMHeadModel", "GPT2Config", "logits", batch=1, arguments=NO_CACHE, n_embd=384, n_layer=4, n_head=6, vocabulary=20000), tvm=True),
    "gpt2_2l_sdpa": Model(text("GPT2LMHeadModel", "GPT2Config", "logits", batch=1, arguments=NO_CACHE, n_embd=64, n_layer=2, n_head=4), tvm=True),
    "gpt2_2l_dyn": Model(text("GPT2LMHeadModel", "GPT2Config", "logits", arguments=NO_CACHE, n_embd=64, n_layer=2, n_head=4), BATCH, tvm=True),
    "llama_4l": Model(text("LlamaForCausalLM", "LlamaConfig", **{**LLAMA, "num_hidden_layers": 4}), tvm=True),
    "qwen2_4l": Model(text("Qwen2ForCausalLM", "Qwen2Config", **{**LLAMA, "num_hidden_layers": 4}), tvm=True),
    "gemma_4l": Model(text("GemmaForCausalLM", "GemmaConfig", head_dim=16, **{**LLAMA, "num_hidden_layers": 4}), tvm=True),
    "qwen3_2l_dyn": Model(text("Qwen3ForCausalLM", "Qwen3Config", head_dim=16, **LLAMA), BATCH),
    "gemma2_2l_dyn": Model(text("Gemma2ForCausalLM", "Gemma2Config", head_dim=16, **LLAMA), BATCH),
    "mistral_2l_dyn": Model(text("MistralForCausalLM", "MistralConfig", sliding_window=8, **LLAMA), BATCH),
    "mixtral_2l": Model(text("MixtralForCausalLM", "MixtralConfig", num_local_experts=4, experts_implementation="eager", **LLAMA), tvm=True),
    "phi_2l": Model(text("PhiForCausalLM", "PhiConfig", **LLAMA)),
    "bloom_2l": Model(text("BloomForCausalLM", "BloomConfig", "logits", arguments=NO_CACHE, hidden_size=64, n_layer=2, n_head=4)),
    "opt_2l": Model(text("OPTForCausalLM", "OPTConfig", "logits", arguments=NO_CACHE, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, ffn_dim=128, word_embed_proj_dim=64)),
    "gpt_neox_2l": Model(text("GPTNeoXForCausalLM", "GPTNeoXConfig", "logits", arguments=NO_CACHE, **SMALL)),
    "falcon_2l": Model(text("FalconForCausalLM", "FalconConfig", "logits", arguments=NO_CACHE, hidden_size=64, num_hidden_layers=2, num_attention_heads=4)),
    "mamba_2l": Model(mamba, tvm=True),
    "t5_4l": Model(t5, tvm=True),
    "t5_encoder_dyn": Model(t5, BATCH),
    "wav2vec2_4l": Model(wav2vec("Wav2Vec2"), tvm=True),
    "wav2vec2_dyn": Model(wav2vec("Wav2Vec2"), {"input_values": {0: "batch", 1: "samples"}}),
    "hubert": Model(wav2vec("Hubert")),
    "whisper_enc": Model(whisper_encoder, tvm=True),
}
