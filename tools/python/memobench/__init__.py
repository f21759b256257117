"""Your own network under the protocols of memobench, next to MEMO, EMN, DNC and UT.

    serve(model)                 memobench trains and evaluates a model that this script defines
    memobench.torch.Module       a network in PyTorch for serve: layers and forward(batch)
    batches(task, split, seed)   the batches and questions themselves, for a training loop of your own
    score(task, answers, name)   the accuracy of answers to these questions, and a record of them

Needs NumPy; memobench.torch needs PyTorch. Where memobench has started the script, importing this
package keeps standard output for its messages: prints go to standard error from then on.
"""
from . import pipe

pipe.take_if_started_by_memobench()  # before anything else can print

from .data import Batch, Task
from .harness import Batches, batches, score
from .protocol import Model, serve

__all__ = ["Batch", "Batches", "Model", "Task", "batches", "score", "serve"]
