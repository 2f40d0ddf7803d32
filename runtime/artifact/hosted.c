/* Loops of an artifact that has no threads of its own. */
#include "runtime/artifact/artifact.h"

int32_t inlay_artifact_pieces(void)
{
    return inlay_host_parallel ? INLAY_ARTIFACT_PIECES : 1;
}

void inlay_artifact_parallel(inlay_piece_fn *piece, void *state, int32_t count)
{
    inlay_host_parallel(piece, state, count);
}
