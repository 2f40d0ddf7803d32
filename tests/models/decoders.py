"""Decoders with their caches, as exporters write them: past keys and values in, present ones out, sizes open."""
import torch

from make import Model


class Decoder(torch.nn.Module):
    """A causal model of transformers: tokens, their mask, and by layer the keys and values of the past."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, past):
        from transformers import DynamicCache
        cache = DynamicCache()
        for i in range(len(past) // 2):
            cache.update(past[2 * i], past[2 * i + 1], i)
        out = self.model(input_ids=input_ids, attention_mask=attention_mask, past_key_values=cache, use_cache=True)
        return out.logits, [t for layer in out.past_key_values.layers for t in (layer.keys, layer.values)]


class Named(torch.nn.Module):
    """... whose inputs have the names that exporters give them."""

    def __init__(self, model, layers):
        super().__init__()
        self.inner, self.layers = Decoder(model), layers
        names = ", ".join(past_names(layers))
        scope = {}
        exec(f"def forward(self, input_ids, attention_mask, {names}):\n"
             f"    return self.inner(input_ids, attention_mask, [{names}])\n", scope)  # torch.export wants the names
        self.forward = scope["forward"].__get__(self)


def past_names(layers):
    return [f"past_key_values_{i}_{part}" for i in range(layers) for part in ("key", "value")]


def decoder(kind, config, heads, width, new, past, batch=2, layers=2, vocabulary=300, **values):
    def build():
        import transformers
        made = getattr(transformers, config)(vocab_size=vocabulary, **values)
        torch.manual_seed(1)
        model = Named(getattr(transformers, kind)(made), layers)
        inputs = {"input_ids": torch.randint(3, vocabulary, (batch, new)), "attention_mask": torch.ones(batch, past + new, dtype=torch.int64)}
        for name in past_names(layers):
            inputs[name] = torch.randn(batch, heads, past, width)
        return model, inputs
    return build


def both(kind, config, heads, width, layers=2, **values):
    """One export each: prompt with an empty cache is the same graph, so a step of several tokens and one of one."""
    dynamic = {"input_ids": {0: "batch", 1: "sequence"}, "attention_mask": {0: "batch", 1: "total"},
               **{name: {0: "batch", 2: "past"} for name in past_names(layers)}}
    outputs = ["logits", *[name.replace("past_key_values", "present") for name in past_names(layers)]]
    return Model(decoder(kind, config, heads, width, 3, 7, layers=layers, **values), dynamic, outputs)


def encoder_decoder(kind, config, source, **values):
    """A step of a decoder that looks at what an encoder made: its own cache grows, that of the encoder stays."""
    def build():
        import transformers
        made = getattr(transformers, config)(**values)
        torch.manual_seed(1)
        whole = getattr(transformers, kind)(made)

        class Step(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = whole

            def forward(self, decoder_input_ids, encoder_hidden_states, past_key, past_value):
                from transformers import DynamicCache, EncoderDecoderCache
                own = DynamicCache()
                own.update(past_key, past_value, 0)
                cache = EncoderDecoderCache(own, DynamicCache())
                out = self.model(decoder_input_ids=decoder_input_ids, encoder_outputs=(encoder_hidden_states,), past_key_values=cache, use_cache=True)
                layer = out.past_key_values.self_attention_cache.layers[0]
                return out.logits, layer.keys, layer.values

        return Step(), {"decoder_input_ids": torch.randint(3, 200, (2, 2)), "encoder_hidden_states": torch.randn(2, source, 64),
                        "past_key": torch.randn(2, 4, 5, 16), "past_value": torch.randn(2, 4, 5, 16)}
    return build


STEP = {"decoder_input_ids": {0: "batch", 1: "sequence"}, "encoder_hidden_states": {0: "batch", 1: "source"},
        "past_key": {0: "batch", 2: "past"}, "past_value": {0: "batch", 2: "past"}}
STEP_OF_WHISPER = {**STEP, "encoder_hidden_states": {0: "batch"}}
SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
GROUPED = {**SMALL, "num_key_value_heads": 2}


class MambaStep(torch.nn.Module):
    """One token through a state space model whose states go in and come out."""

    def __init__(self):
        from transformers import MambaConfig, MambaModel
        super().__init__()
        self.config = MambaConfig(vocab_size=200, hidden_size=48, num_hidden_layers=2, state_size=8)
        self.model = MambaModel(self.config)

    def forward(self, input_ids, conv_states, ssm_states):
        from transformers.cache_utils import DynamicCache
        cache = DynamicCache(config=self.config)
        for i, layer in enumerate(cache.layers):
            layer.conv_states[0], layer.recurrent_states[0] = conv_states[i], ssm_states[i]
            layer.is_conv_states_initialized[0] = layer.is_recurrent_states_initialized[0] = layer.has_previous_state[0] = True
        out = self.model(input_ids, cache_params=cache, use_cache=True)
        return out.last_hidden_state, torch.stack([l.conv_states[0] for l in cache.layers]), torch.stack([l.recurrent_states[0] for l in cache.layers])


def mamba_step():
    module = MambaStep()
    return module, {"input_ids": torch.randint(0, 200, (1, 1)), "conv_states": torch.randn(2, 1, 96, 4), "ssm_states": torch.randn(2, 1, 96, 8)}


MODELS = {
    "gpt2_decode": both("GPT2LMHeadModel", "GPT2Config", 4, 16, n_embd=64, n_layer=2, n_head=4),
    "llama_decode": both("LlamaForCausalLM", "LlamaConfig", 2, 16, **GROUPED),
    "qwen2_decode": both("Qwen2ForCausalLM", "Qwen2Config", 2, 16, **GROUPED),
    "gemma_decode": both("GemmaForCausalLM", "GemmaConfig", 2, 16, head_dim=16, **GROUPED),
    "qwen3_decode": both("Qwen3ForCausalLM", "Qwen3Config", 2, 16, head_dim=16, **GROUPED),
    "phi_decode": both("PhiForCausalLM", "PhiConfig", 2, 16, **GROUPED),
    "t5_decode": Model(encoder_decoder("T5ForConditionalGeneration", "T5Config", 9, vocab_size=200, d_model=64, d_kv=16, d_ff=128, num_layers=1, num_heads=4), STEP),
    "whisper_decode": Model(encoder_decoder("WhisperForConditionalGeneration", "WhisperConfig", 50, vocab_size=200, d_model=64, encoder_layers=1, decoder_layers=1,
                                            encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=128, decoder_ffn_dim=128, max_source_positions=50,
                                            pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1, suppress_tokens=None, begin_suppress_tokens=None),
                            STEP_OF_WHISPER),
    "mamba_decode": Model(mamba_step),
}
