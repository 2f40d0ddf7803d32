"""Models that are measured, but too large, or too like others, for the zoo of tests/models.

usage: extra.py FOLDER [NAME...]      in the environment of scripts/peers --plans, as tests/models/make.py
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests/models"))

from decoders import Model, decoder
from language import text
from vision import of_timm, of_torchvision


def whisper_tiny():
    import torch
    from transformers import WhisperConfig, WhisperModel
    config = WhisperConfig(d_model=384, encoder_layers=4, encoder_attention_heads=6, encoder_ffn_dim=1536, decoder_layers=1)

    class Encoder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = WhisperModel(config).encoder

        def forward(self, input_features):
            return self.model(input_features).last_hidden_state

    return Encoder(), {"input_features": torch.randn(1, 80, 3000)}


BERT = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
GPT2 = {"layers": 12, "batch": 1, "vocabulary": 50257}
MODELS = {
    "resnet50": Model(of_timm("resnet50")),
    "squeezenet": Model(of_torchvision("squeezenet1_1")),
    "densenet121": Model(of_torchvision("densenet121")),
    "bert_6x384": Model(text("BertModel", "BertConfig", batch=1, length=128, **BERT)),
    "whisper_tiny": Model(whisper_tiny),
    "gpt2_decode": Model(decoder("GPT2LMHeadModel", "GPT2Config", 12, 64, 1, 511, **GPT2)),
    "gpt2_prefill": Model(decoder("GPT2LMHeadModel", "GPT2Config", 12, 64, 32, 1, **GPT2)),
}

if __name__ == "__main__":
    import make
    make.main(MODELS)
