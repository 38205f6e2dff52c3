// zlib's own header, and nothing else: the macros Swift cannot import are spelled out in Swift.
#include <zlib.h>
