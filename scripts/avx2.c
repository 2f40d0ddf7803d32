/*
 * What scripts/avx2 loads into a program: makes it believe that its processor has AVX2 and no wider vectors.
 *
 * The system can let the CPUID instruction fault (arch_prctl(2), ARCH_SET_CPUID; where the processor has
 * cpuid_fault); the handler executes it and takes the wider units from what it says.  Threads inherit the
 * fault, a program that is started anew loads this again.  XGETBV cannot be caught: nobody may use what it
 * says of vectors without asking CPUID for the unit.
 */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <cpuid.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { CPUID_BYTES = 2, REGISTERS = 4 }; // 0F A2; eax, ebx, ecx, edx

/* Bits that are taken away: AVX-512 and AVX10 of every kind, AMX, AVX-VNNI and its successors. */
static const struct {
    unsigned leaf, subleaf;
    unsigned cleared[REGISTERS];
} masks[] = {
    {7,
     0,
     {0, 0xdc230000u, 1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14,
      1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25}},
    {7,
     1,
     {1u << 4 | 1u << 5 | 1u << 21 | 1u << 23, 0, 0,
      1u << 4 | 1u << 5 | 1u << 8 | 1u << 10 | 1u << 19}},
    {0xd, 0, {0xe0u | 3u << 17, 0, 0, 0}},
};

/* Lets CPUID fault in this thread, or not; not 0: this system cannot. */
static long set_fault(long is_fault)
{
    return syscall(SYS_arch_prctl, ARCH_SET_CPUID, !is_fault);
}

static struct sigaction own; // what the program itself would do at a fault; at first: it ends

static int real_action(int signal_number, const struct sigaction *new, struct sigaction *old)
{
    int (*next)(int, const struct sigaction *, struct sigaction *) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "sigaction");
    return next(signal_number, new, old);
}

/* In front of the C library's: a program's own handler of faults waits behind ours. */
int sigaction(int signal_number, const struct sigaction *new, struct sigaction *old)
{
    if (signal_number != SIGSEGV)
        return real_action(signal_number, new, old);
    if (old)
        *old = own;
    if (new)
        own = *new;
    return 0;
}

static void execute(int signal_number, siginfo_t *information, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    unsigned leaf = (unsigned)registers[REG_RAX], subleaf = (unsigned)registers[REG_RCX];
    unsigned said[REGISTERS];

    if (information->si_code != SI_KERNEL ||
        memcmp((const void *)registers[REG_RIP], "\x0f\xa2", CPUID_BYTES)) {
        real_action(signal_number, &own, NULL); // a fault of the program itself: it happens again
        return;
    }
    set_fault(0);
    __cpuid_count(leaf, subleaf, said[0], said[1], said[2], said[3]);
    set_fault(1);
    for (unsigned i = 0; i < sizeof(masks) / sizeof(masks[0]); i++)
        for (unsigned k = 0; k < REGISTERS && masks[i].leaf == leaf && masks[i].subleaf == subleaf;
             k++)
            said[k] &= ~masks[i].cleared[k];
    registers[REG_RAX] = said[0];
    registers[REG_RBX] = said[1];
    registers[REG_RCX] = said[2];
    registers[REG_RDX] = said[3];
    registers[REG_RIP] += CPUID_BYTES;
}

__attribute__((constructor)) static void start(void)
{
    struct sigaction action = {.sa_sigaction = execute, .sa_flags = SA_SIGINFO | SA_NODEFER};

    real_action(SIGSEGV, &action, NULL);
    if (set_fault(1)) {
        fputs("avx2: this system does not let CPUID fault\n", stderr);
        _exit(1);
    }
}
