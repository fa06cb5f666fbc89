// zlib, with the macro that Swift does not import as a function.
#ifndef SPARRING_CZLIB_SHIM_H
#define SPARRING_CZLIB_SHIM_H

#include <zlib.h>

static inline int sparring_inflate_begin(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }

#endif
