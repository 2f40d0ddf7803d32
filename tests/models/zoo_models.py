"""All models of the zoo, by name."""
import decoders
import further
import language
import networks
import others
import vision

MODELS = {**networks.MODELS, **vision.MODELS, **language.MODELS, **others.MODELS, **decoders.MODELS, **further.MODELS}
