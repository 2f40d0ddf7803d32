#!/usr/bin/env python3
"""Makes the weights, the prompt and the answer of examples/decoder.py with torch and transformers, from a seed.

The answer is what transformers' own generation gives, greedily, with its own cache; that no two tokens are close
to equally likely anywhere is checked, so that rounding decides nothing.

usage: make-decoder.py      with the Python of scripts/peers --plans
"""
import pathlib

import numpy
import torch
from safetensors.torch import save_file
from transformers import LlamaConfig, LlamaForCausalLM

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "examples/decoder"
GIVEN, MADE = 8, 256
config = LlamaConfig(vocab_size=96, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                     rms_norm_eps=1e-6, tie_word_embeddings=True, max_position_embeddings=512, bos_token_id=None, eos_token_id=None, pad_token_id=0)


def answer(seed):
    """Model, prompt, the tokens that follow, and the least distance of the best logit from the next."""
    torch.manual_seed(seed)
    model = LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for tensor in model.parameters():  # as it is initialised it says the same word for ever
            tensor.copy_(torch.randn_like(tensor) * (0.1 if tensor.dim() == 1 else 0.35) + (tensor.dim() == 1))
        prompt = torch.randint(0, 96, (1, GIVEN))
        tokens = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=MADE, do_sample=False, use_cache=True)
        logits = model.double()(tokens).logits[0, GIVEN - 1:-1].topk(2).values
    return model.float(), prompt[0], tokens[0, GIVEN:], float((logits[:, 0] - logits[:, 1]).min()), len(set(tokens[0].tolist()))


torch.set_num_threads(1)
for seed in range(1, 100):
    model, prompt, tokens, margin, kinds = answer(seed)
    print(f"seed {seed}: {len(tokens)} tokens of {kinds} kinds, margin {margin:.4f}", flush=True)
    if margin > 1e-3 and kinds > 20:
        break
assert margin > 1e-3 and kinds > 20 and len(tokens) == MADE
FOLDER.mkdir(exist_ok=True)
state = {name: tensor.contiguous() for name, tensor in model.state_dict().items() if name != "lm_head.weight"}
save_file(state, FOLDER / "weights.safetensors")
numpy.save(FOLDER / "prompt.npy", prompt.numpy())
numpy.save(FOLDER / "expected_0.npy", tokens.numpy())
