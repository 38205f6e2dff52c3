// OpenSSL's own headers for algorithms, keys derived from keys, and random bytes; nothing of TLS.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
