"""Small networks in plain torch, of the kinds that people write themselves."""
import torch
from torch import nn

from make import Model


class Crnn(nn.Module):
    """Text in images: convolutions, two LSTMs in both directions, logits for CTC."""

    def __init__(self):
        super().__init__()
        layers, last = [], 1
        for width, pool in ((32, (2, 2)), (64, (2, 2)), (128, (2, 1)), (128, (2, 1))):
            layers += [nn.Conv2d(last, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(pool)]
            last = width
        self.features, self.rnn = nn.Sequential(*layers), nn.LSTM(256, 128, 2, bidirectional=True)
        self.head = nn.Linear(256, 97)

    def forward(self, image):
        x = self.features(image)
        x = x.flatten(1, 2).permute(2, 0, 1)
        return self.head(self.rnn(x)[0]).log_softmax(2)


class Tagger(nn.Module):
    def __init__(self, kind, layers=2):
        super().__init__()
        self.embedding = nn.Embedding(1000, 64)
        self.rnn = kind(64, 96, layers, batch_first=True, bidirectional=True)
        self.head = nn.Linear(192, 17)

    def forward(self, tokens):
        return self.head(self.rnn(self.embedding(tokens))[0])


class Vad(nn.Module):
    """Is there a voice: state goes in and comes out."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv1d(1, 64, 16, 8), nn.ReLU(), nn.Conv1d(64, 64, 4, 2), nn.ReLU())
        self.rnn, self.head = nn.LSTM(64, 64, 2), nn.Linear(64, 1)

    def forward(self, audio, hidden, cell):
        x = self.encoder(audio.unsqueeze(1)).permute(2, 0, 1)
        x, (hidden, cell) = self.rnn(x, (hidden, cell))
        return torch.sigmoid(self.head(x[-1])), hidden, cell


class Dcgan(nn.Module):
    def __init__(self):
        super().__init__()
        layers, last = [], 100
        for width, stride, padding in ((256, 1, 0), (128, 2, 1), (64, 2, 1), (32, 2, 1)):
            layers += [nn.ConvTranspose2d(last, width, 4, stride, padding, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
            last = width
        self.layers = nn.Sequential(*layers, nn.ConvTranspose2d(last, 3, 4, 2, 1), nn.Tanh())

    def forward(self, noise):
        return self.layers(noise)


class Espcn(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(1, 64, 5, padding=2), nn.Tanh(), nn.Conv2d(64, 32, 3, padding=1), nn.Tanh(),
                                    nn.Conv2d(32, 9, 3, padding=1), nn.PixelShuffle(3))

    def forward(self, image):
        return self.layers(image)


class Block(nn.Module):
    def __init__(self, before, after):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(before, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU(),
                                    nn.Conv2d(after, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


class Unet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.down = nn.ModuleList([Block(1, width), Block(width, 2 * width), Block(2 * width, 4 * width)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(4 * width, 2 * width, 2, 2), nn.ConvTranspose2d(2 * width, width, 2, 2)])
        self.after = nn.ModuleList([Block(4 * width, 2 * width), Block(2 * width, width)])
        self.head = nn.Conv2d(width, 2, 1)

    def forward(self, image):
        one = self.down[0](image)
        two = self.down[1](nn.functional.max_pool2d(one, 2))
        x = self.down[2](nn.functional.max_pool2d(two, 2))
        x = self.after[0](torch.cat([self.up[0](x), two], 1))
        return self.head(self.after[1](torch.cat([self.up[1](x), one], 1)))


class DiffusionBlock(nn.Module):
    def __init__(self, before, after, times):
        super().__init__()
        self.norm1, self.conv1 = nn.GroupNorm(8, before), nn.Conv2d(before, after, 3, padding=1)
        self.norm2, self.conv2 = nn.GroupNorm(8, after), nn.Conv2d(after, after, 3, padding=1)
        self.time = nn.Linear(times, after)
        self.skip = nn.Conv2d(before, after, 1) if before != after else nn.Identity()

    def forward(self, x, t):
        h = self.conv1(nn.functional.silu(self.norm1(x))) + self.time(nn.functional.silu(t))[:, :, None, None]
        return self.skip(x) + self.conv2(nn.functional.silu(self.norm2(h)))


class DiffusionUnet(nn.Module):
    """Noise of a step: embedding of the time, groups, attention in the middle, nearest upsampling."""

    def __init__(self, width=32):
        super().__init__()
        self.width = width
        self.time = nn.Sequential(nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, 4 * width))
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.down = nn.ModuleList([DiffusionBlock(width, width, 4 * width), DiffusionBlock(width, 2 * width, 4 * width)])
        self.shrink = nn.ModuleList([nn.Conv2d(width, width, 3, 2, 1), nn.Conv2d(2 * width, 2 * width, 3, 2, 1)])
        self.middle, self.norm = DiffusionBlock(2 * width, 2 * width, 4 * width), nn.GroupNorm(8, 2 * width)
        self.attention = nn.MultiheadAttention(2 * width, 4, batch_first=True)
        self.up = nn.ModuleList([DiffusionBlock(4 * width, width, 4 * width), DiffusionBlock(2 * width, width, 4 * width)])
        self.last = nn.Sequential(nn.GroupNorm(8, width), nn.SiLU(), nn.Conv2d(width, 3, 3, padding=1))

    def forward(self, noise, time):
        half = self.width // 2
        angles = time[:, None].to(noise.dtype) * torch.exp(torch.arange(half, dtype=noise.dtype) * (-9.21 / half))
        t = self.time(torch.cat([angles.sin(), angles.cos()], 1))
        x, skips = self.first(noise), []
        for block, shrink in zip(self.down, self.shrink):
            x = block(x, t)
            skips.append(x)
            x = shrink(x)
        x = self.middle(x, t)
        flat = self.norm(x).flatten(2).transpose(1, 2)
        x = x + self.attention(flat, flat, flat, need_weights=False)[0].transpose(1, 2).reshape(x.shape)
        for block in self.up:
            x = block(torch.cat([nn.functional.interpolate(x, scale_factor=2), skips.pop()], 1), t)
        return self.last(x)


class Detector(nn.Module):
    """Boxes of a grid, the best hundred of them."""

    def __init__(self, keeps=None):
        super().__init__()
        self.keeps = keeps
        self.layers = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(), nn.Conv2d(32, 32, 3, 2, 1), nn.ReLU())
        self.scores, self.boxes = nn.Conv2d(32, 5, 1), nn.Conv2d(32, 4, 1)

    def forward(self, image):
        x = self.layers(image)
        scores = self.scores(x).flatten(2).sigmoid()
        boxes = self.boxes(x).flatten(2).transpose(1, 2)
        best, labels = scores.max(1)
        values, places = best.topk(100, 1)
        return values, labels.gather(1, places), boxes.gather(1, places[:, :, None].expand(-1, -1, 4))


class NmsDetector(Detector):
    """... and those of them that do not overlap."""

    def forward(self, image):
        from torchvision.ops import nms
        values, labels, boxes = super().forward(image)
        centers = boxes[0, :, :2].sigmoid() * 64
        corners = torch.cat([centers - 8, centers + 8], 1)
        kept = nms(corners, values[0], 0.5)
        return corners[kept], values[0][kept], labels[0][kept]


class Moe(nn.Module):
    """Mixture of four experts: every token goes to its best two, by index."""

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(64, 4)
        self.up, self.down = nn.Parameter(torch.randn(4, 64, 128) * 0.1), nn.Parameter(torch.randn(4, 128, 64) * 0.1)

    def forward(self, x):
        weights, experts = self.gate(x).softmax(-1).topk(2, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        h = torch.einsum("nd,nkdf->nkf", x, self.up[experts])
        y = torch.einsum("nkf,nkfd->nkd", nn.functional.gelu(h), self.down[experts])
        return (weights[:, :, None] * y).sum(1)


class MaskedMoe(Moe):
    """... and the same with masks: each expert sees what is its own by index_add."""

    def forward(self, x):
        weights, experts = self.gate(x).softmax(-1).topk(2, -1)
        out = torch.zeros_like(x)
        for e in range(4):
            mask = (experts == e).to(x.dtype) * weights
            out = out + mask.sum(1, keepdim=True) * (nn.functional.gelu(x @ self.up[e]) @ self.down[e])
        return out


class Gnn(nn.Module):
    """Messages along edges: gather, scatter_add, mean and the largest of the neighbours."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = nn.Linear(16, 32), nn.Linear(64, 32), nn.Linear(32, 7)

    def forward(self, nodes, edges):
        source, target = edges[0], edges[1]
        x = self.first(nodes).relu()
        sums = torch.zeros_like(x).scatter_add(0, target[:, None].expand(-1, 32), x[source])
        counts = torch.zeros_like(nodes[:, 0]).scatter_add(0, target, torch.ones_like(target, dtype=nodes.dtype))
        largest = torch.zeros_like(x).scatter_reduce(0, target[:, None].expand(-1, 32), x[source], "amax")
        x = self.second(torch.cat([sums / counts.clamp(min=1)[:, None], largest], 1)).relu()
        return self.head(torch.zeros_like(x).index_add(0, target, x[source]))


class DeepSpeech(nn.Module):
    """Spectra to characters, CTC: convolutions, a GRU, hard tanh."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 16, (11, 5), (2, 2), (5, 2)), nn.BatchNorm2d(16), nn.Hardtanh(0, 20))
        self.rnn, self.head = nn.GRU(16 * 20, 128, 2, batch_first=True), nn.Linear(128, 29)

    def forward(self, spectrum):
        x = self.conv(spectrum.unsqueeze(1))
        x = x.permute(0, 2, 1, 3).flatten(2)
        return self.head(self.rnn(x)[0]).log_softmax(-1)


class Tcn(nn.Module):
    """Dilated causal convolutions over time, with gates, as in WaveNet."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(8, 32, 1)
        self.layers = nn.ModuleList([nn.Conv1d(32, 64, 2, dilation=2**i) for i in range(6)])
        self.mix, self.head = nn.ModuleList([nn.Conv1d(32, 32, 1) for _ in range(6)]), nn.Conv1d(32, 4, 1)

    def forward(self, signal):
        x, total = self.first(signal), 0
        for i, (layer, mix) in enumerate(zip(self.layers, self.mix)):
            a, b = layer(nn.functional.pad(x, (2**i, 0))).chunk(2, 1)
            y = mix(a.tanh() * b.sigmoid())
            x, total = x + y, total + y
        return self.head(total.relu())


class Recommender(nn.Module):
    """Wide and deep: bags of embeddings, products of all pairs."""

    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding(100 + i, 16) for i in range(6)])
        self.bottom, self.top = nn.Linear(13, 16), nn.Sequential(nn.Linear(16 + 21, 64), nn.ReLU(), nn.Linear(64, 1))
        self.register_buffer("upper", torch.triu_indices(7, 7, 1))

    def forward(self, dense, sparse):
        x = self.bottom(dense).relu()
        all_ = torch.stack([x, *[table(sparse[:, i]) for i, table in enumerate(self.tables)]], 1)
        pairs = all_ @ all_.transpose(1, 2)
        return self.top(torch.cat([x, pairs[:, self.upper[0], self.upper[1]]], 1)).sigmoid()


class Video(nn.Module):
    """Convolutions in three dimensions."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv3d(3, 16, 3, padding=1), nn.BatchNorm3d(16), nn.ReLU(), nn.MaxPool3d(2),
                                    nn.Conv3d(16, 32, (1, 3, 3), padding=(0, 1, 1)), nn.ReLU(), nn.AvgPool3d(2, ceil_mode=True), nn.AdaptiveAvgPool3d(1))
        self.head = nn.Linear(32, 10)

    def forward(self, clip):
        return self.head(self.layers(clip).flatten(1))


class Spectrum(nn.Module):
    """A short-time Fourier transform in the model."""

    def __init__(self):
        super().__init__()
        self.head = nn.Linear(65, 8)

    def forward(self, audio):
        window = torch.hann_window(128, dtype=audio.dtype)
        spectrum = torch.stft(audio, 128, 64, window=window, return_complex=True, center=False)
        power = torch.view_as_real(spectrum).pow(2).sum(-1)
        return self.head((power + 1e-6).log().transpose(1, 2))


class Looped(nn.Module):
    """A cell in a loop of the module, as it is written by hand: the exporter writes it out."""

    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(12, 24), nn.Linear(24, 3)

    def forward(self, steps):
        h = torch.zeros(steps.shape[0], 24, dtype=steps.dtype)
        for i in range(10):
            h = self.cell(steps[:, i], h)
        return self.head(h)


def of(kind, **inputs):
    return lambda: (kind(), {key: make() for key, make in inputs.items()})


def image(*shape):
    return lambda: torch.rand(*shape)


def tokens(limit, *shape):
    return lambda: torch.randint(0, limit, shape)


TIME = {"batch": 0}
MODELS = {
    "crnn_ocr": Model(of(Crnn, image=image(1, 1, 32, 128)), tvm=True),
    "crnn_ocr_dyn": Model(of(Crnn, image=image(2, 1, 32, 128)), {"image": {0: "batch", 3: "width"}}, script=True),
    "gru_tagger": Model(of(lambda: Tagger(nn.GRU), tokens=tokens(1000, 1, 24)), tvm=True),
    "lstm_tagger": Model(of(lambda: Tagger(nn.LSTM), tokens=tokens(1000, 2, 24)), {"tokens": {0: "batch", 1: "steps"}}, script=True),
    "rnn_tagger": Model(of(lambda: Tagger(nn.RNN), tokens=tokens(1000, 2, 24))),
    "vad_lstm": Model(of(Vad, audio=image(1, 512), hidden=image(2, 1, 64), cell=image(2, 1, 64)), tvm=True),
    "dcgan": Model(of(Dcgan, noise=image(1, 100, 1, 1)), tvm=True),
    "espcn": Model(of(Espcn, image=image(1, 1, 64, 64)), tvm=True),
    "espcn_dyn": Model(of(Espcn, image=image(2, 1, 40, 56)), {"image": {0: "batch", 2: "height", 3: "width"}}),
    "unet": Model(of(Unet, image=image(1, 1, 64, 64)), tvm=True),
    "unet_dyn": Model(of(Unet, image=image(2, 1, 64, 96)), {"image": {0: "batch", 2: "height", 3: "width"}}, script=True),
    "diffusion_unet": Model(of(DiffusionUnet, noise=image(2, 3, 32, 32), time=tokens(1000, 2)), tvm=True),
    "diffusion_unet_dyn": Model(of(DiffusionUnet, noise=image(2, 3, 32, 32), time=tokens(1000, 2)),
                                {"noise": {0: "batch", 2: "height", 3: "width"}, "time": {0: "batch"}}, script=True),
    "detector_topk": Model(of(Detector, image=image(1, 3, 128, 128)), tvm=True),
    "detector_nms": Model(of(NmsDetector, image=image(1, 3, 128, 128)), script=True),
    "moe": Model(of(Moe, x=image(10, 64)), tvm=True),
    "moe_dyn": Model(of(Moe, x=image(10, 64)), {"x": {0: "tokens"}}),
    "moe_masked": Model(of(MaskedMoe, x=image(10, 64)), tvm=True),
    "gnn_scatter": Model(of(Gnn, nodes=image(20, 16), edges=tokens(20, 2, 60)), tvm=True),
    "gnn_scatter_dyn": Model(of(Gnn, nodes=image(20, 16), edges=tokens(20, 2, 60)), {"nodes": {0: "nodes"}, "edges": {1: "edges"}}),
    "deep_speech": Model(of(DeepSpeech, spectrum=image(1, 60, 40)), tvm=True),
    "deep_speech_dyn": Model(of(DeepSpeech, spectrum=image(2, 60, 40)), {"spectrum": {0: "batch", 1: "frames"}}, script=True),
    "tcn": Model(of(Tcn, signal=image(2, 8, 100)), {"signal": {0: "batch", 2: "steps"}}, tvm=True),
    "recommender": Model(of(Recommender, dense=image(8, 13), sparse=tokens(100, 8, 6)), {"dense": {0: "batch"}, "sparse": {0: "batch"}}, tvm=True),
    "video": Model(of(Video, clip=image(1, 3, 9, 32, 32)), tvm=True),
    "spectrum": Model(of(Spectrum, audio=image(2, 1024))),
    "looped_gru": Model(of(Looped, steps=image(2, 10, 12)), tvm=True),
}
