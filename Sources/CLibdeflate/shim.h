// libdeflate's own header, and nothing else. Built with the trait Libdeflate alone.
#include <libdeflate.h>
