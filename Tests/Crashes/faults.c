/* Makes the n-th call fail that changes a file, a folder or a link, or ends the process there.
 *
 * Loaded before the C library (LD_PRELOAD). The calls of all threads share one counter:
 *
 *     FAULT_LOG   a file that gets a line per counted call: its number, its kind and its path
 *     FAULT_AT    the number of the call, from 1; without it calls are only counted
 *     FAULT_MODE  kill        the process ends before the call
 *                 torn        half of the bytes are written, or the call is made; then it ends
 *                 short       half of the bytes are written, which the call says
 *                 ENOSPC EIO  the call fails with that error, once
 *                 ENOSPC+ EIO+    it fails, and so does every later one
 *
 * With FAULT_AT the log has the calls that met a fault, and no other. What goes to the standard
 * streams, pipes and event descriptors is no file and is not counted. crashes.py holds the counts
 * against those of strace, so that a call of another name would be missed by no more than one run.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { NONE, KILL, TORN, SHORT, ENOSPC_ONCE, ENOSPC_ON, EIO_ONCE, EIO_ON };

static atomic_long count;
static long at;
static enum mode mode;
static int log_file = -1;

__attribute__((constructor)) static void begin(void) {
    static const char *const names[] = {
        "", "kill", "torn", "short", "ENOSPC", "ENOSPC+", "EIO", "EIO+",
    };
    const char *path = getenv("FAULT_LOG"), *number = getenv("FAULT_AT");
    const char *word = getenv("FAULT_MODE");
    if (path)
        log_file = (int)syscall(
            SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    at = number ? atol(number) : 0;
    for (int index = 1; word && index <= EIO_ON; index++)
        if (!strcmp(word, names[index])) mode = (enum mode)index;
}

/* One line by one call, so that threads do not mix theirs; itself not counted. */
static void note(long number, const char *kind, const char *path) {
    char line[4400];
    int size = snprintf(line, sizeof line, "%ld %s %s\n", number, kind, path);
    if (size >= (int)sizeof line) size = sizeof line - 1;
    if (log_file >= 0) syscall(SYS_write, log_file, line, size);
}

static const char *path_of(int file, char *buffer, size_t size) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, size - 1);
    buffer[length < 0 ? 0 : length] = 0;
    return buffer;
}

/* Counts a call; gives the fault it must meet, if any. */
static enum mode met(const char *kind, int file, const char *path) {
    int kept = errno;
    char buffer[4096];
    if (!path) {
        struct stat status;
        if (file <= 2 || syscall(SYS_fstat, file, &status)
            || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
            errno = kept;
            return NONE;
        }
        path = path_of(file, buffer, sizeof buffer);
    }
    long number = atomic_fetch_add(&count, 1) + 1;
    int goes_on = mode == ENOSPC_ON || mode == EIO_ON;
    int is_met = at && (number == at || (goes_on && number > at));
    if (is_met || !at) note(number, kind, path);
    errno = kept;
    return is_met ? mode : NONE;
}

static void end(void) {
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
}

/* The error of a fault; 0 where the call shall be made. */
static int error_of(enum mode fault) {
    switch (fault) {
    case KILL: end(); return 0;
    case ENOSPC_ONCE: case ENOSPC_ON: return ENOSPC;
    case EIO_ONCE: case EIO_ON: return EIO;
    default: return 0;
    }
}

/* The call of this name further down, with the type of the one here. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A call that either happens as a whole or does not. */
#define WHOLE(kind, file, path, call)                                                             \
    enum mode fault = met(kind, file, path);                                                      \
    int number = error_of(fault);                                                                 \
    if (number) { errno = number; return -1; }                                                    \
    __typeof__(call) result = call;                                                               \
    if (fault == TORN) end();                                                                     \
    return result;

/* A call that moves bytes: `half` moves the first half of them. */
#define BYTES(kind, file, size, call, half)                                                       \
    enum mode fault = met(kind, file, NULL);                                                      \
    int number = error_of(fault);                                                                 \
    if (number) { errno = number; return -1; }                                                    \
    if (fault == TORN) { if ((size) > 1) (void)!(half); end(); }                                  \
    return fault == SHORT && (size) > 1 ? (half) : (call);

#define WRITE(name, kind)                                                                         \
    ssize_t name(int file, const void *bytes, size_t size) {                                      \
        BYTES(kind, file, size, REAL(name)(file, bytes, size),                                    \
              REAL(name)(file, bytes, size / 2))                                                  \
    }
#define WRITE_AT(name, kind)                                                                      \
    ssize_t name(int file, const void *bytes, size_t size, off_t offset) {                        \
        BYTES(kind, file, size, REAL(name)(file, bytes, size, offset),                            \
              REAL(name)(file, bytes, size / 2, offset))                                          \
    }
WRITE(write, "write")
WRITE_AT(pwrite, "pwrite")
WRITE_AT(pwrite64, "pwrite")

/* Half of a vector is its first half of parts, or half of its only part. */
static size_t size_of(const struct iovec *parts, int count) {
    size_t size = 0;
    for (int index = 0; index < count; index++) size += parts[index].iov_len;
    return size;
}
#define HALVED(parts, count)                                                                      \
    struct iovec half = { (parts)->iov_base, (parts)->iov_len / 2 };                              \
    const struct iovec *first = (count) > 1 ? (parts) : &half;                                    \
    int first_count = (count) > 1 ? (count) / 2 : 1;

ssize_t writev(int file, const struct iovec *parts, int count) {
    HALVED(parts, count)
    BYTES("writev", file, size_of(parts, count), REAL(writev)(file, parts, count),
          REAL(writev)(file, first, first_count))
}
#define WRITE_PARTS_AT(name)                                                                      \
    ssize_t name(int file, const struct iovec *parts, int count, off_t offset) {                  \
        HALVED(parts, count)                                                                      \
        BYTES("pwritev", file, size_of(parts, count), REAL(name)(file, parts, count, offset),     \
              REAL(name)(file, first, first_count, offset))                                       \
    }
WRITE_PARTS_AT(pwritev)
WRITE_PARTS_AT(pwritev64)

ssize_t sendfile(int to, int from, off_t *offset, size_t size) {
    BYTES("sendfile", to, size, REAL(sendfile)(to, from, offset, size),
          REAL(sendfile)(to, from, offset, size / 2))
}
ssize_t copy_file_range(int from, off_t *start, int to, off_t *target, size_t size, unsigned way) {
    BYTES("copy_file_range", to, size,
          REAL(copy_file_range)(from, start, to, target, size, way),
          REAL(copy_file_range)(from, start, to, target, size / 2, way))
}

int fsync(int file) { WHOLE("fsync", file, NULL, REAL(fsync)(file)) }
int fdatasync(int file) { WHOLE("fdatasync", file, NULL, REAL(fdatasync)(file)) }
int syncfs(int file) { WHOLE("syncfs", file, NULL, REAL(syncfs)(file)) }
int sync_file_range(int file, off_t start, off_t size, unsigned flags) {
    WHOLE("sync_file_range", file, NULL, REAL(sync_file_range)(file, start, size, flags))
}
#define TRUNCATE(name)                                                                            \
    int name(int file, off_t size) { WHOLE("ftruncate", file, NULL, REAL(name)(file, size)) }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)
int truncate(const char *path, off_t size) {
    WHOLE("truncate", 0, path, REAL(truncate)(path, size))
}
int fallocate(int file, int way, off_t start, off_t size) {
    WHOLE("fallocate", file, NULL, REAL(fallocate)(file, way, start, size))
}

int rename(const char *from, const char *to) { WHOLE("rename", 0, to, REAL(rename)(from, to)) }
int renameat(int a, const char *from, int b, const char *to) {
    WHOLE("rename", 0, to, REAL(renameat)(a, from, b, to))
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    WHOLE("rename", 0, to, REAL(renameat2)(a, from, b, to, flags))
}
int link(const char *from, const char *to) { WHOLE("link", 0, to, REAL(link)(from, to)) }
int linkat(int a, const char *from, int b, const char *to, int flags) {
    WHOLE("link", 0, to, REAL(linkat)(a, from, b, to, flags))
}
int symlink(const char *target, const char *path) {
    WHOLE("symlink", 0, path, REAL(symlink)(target, path))
}
int symlinkat(const char *target, int folder, const char *path) {
    WHOLE("symlink", 0, path, REAL(symlinkat)(target, folder, path))
}
int unlink(const char *path) { WHOLE("unlink", 0, path, REAL(unlink)(path)) }
int unlinkat(int folder, const char *path, int flags) {
    WHOLE(flags & AT_REMOVEDIR ? "rmdir" : "unlink", 0, path, REAL(unlinkat)(folder, path, flags))
}
int rmdir(const char *path) { WHOLE("rmdir", 0, path, REAL(rmdir)(path)) }
int mkdir(const char *path, mode_t bits) { WHOLE("mkdir", 0, path, REAL(mkdir)(path, bits)) }
int mkdirat(int folder, const char *path, mode_t bits) {
    WHOLE("mkdir", 0, path, REAL(mkdirat)(folder, path, bits))
}

/* Opening counts where it may create a file. */
#define OPEN(name, parameters, ...)                                                               \
    int name parameters {                                                                         \
        mode_t bits = 0;                                                                          \
        if (flags & (O_CREAT | __O_TMPFILE)) {                                                    \
            va_list rest;                                                                         \
            va_start(rest, flags);                                                                \
            bits = va_arg(rest, mode_t);                                                          \
            va_end(rest);                                                                         \
            WHOLE("open", 0, path, REAL(name)(__VA_ARGS__))                                       \
        }                                                                                         \
        return REAL(name)(__VA_ARGS__);                                                           \
    }
OPEN(open, (const char *path, int flags, ...), path, flags, bits)
OPEN(open64, (const char *path, int flags, ...), path, flags, bits)
OPEN(openat, (int folder, const char *path, int flags, ...), folder, path, flags, bits)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder, path, flags, bits)
int creat(const char *path, mode_t bits) { WHOLE("open", 0, path, REAL(creat)(path, bits)) }
