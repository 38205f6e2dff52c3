// What the C library's memory can be told, which the Glibc module leaves out.
#include <malloc.h>
