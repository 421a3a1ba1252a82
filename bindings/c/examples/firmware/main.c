/* Firmware for a Cortex-M4 (Arm MPS2, AN386), without a library of C: the scenario in static storage,
   told through semihosting. */
#include "../scenario.h"

extern uint32_t data_start, data_end, data_image, bss_start, bss_end, stack_top;

void reset(void);
static void fault(void);

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[16] = {
    (uintptr_t)&stack_top, (uintptr_t)reset, (uintptr_t)fault, (uintptr_t)fault,
    (uintptr_t)fault,      (uintptr_t)fault, (uintptr_t)fault,
};

/* A request to the debugger, here QEMU. */
static uint32_t semihosting(uint32_t operation, uintptr_t argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register uintptr_t r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static void print(const char *text) { semihosting(0x04, (uintptr_t)text); }

/* 0x20026 is the reason of those that end well. */
__attribute__((noreturn)) static void leave(int well) {
  semihosting(0x18, well ? 0x20026 : 0x20023);
  for (;;) {
  }
}

static void fault(void) {
  print("a fault\n");
  leave(0);
}

void failed(const char *file, int line, const char *what) {
  char digits[12];
  char *at = &digits[11];
  *at = 0;
  do {
    *--at = (char)('0' + line % 10);
    line /= 10;
  } while (line != 0);
  print(file);
  print(":");
  print(at);
  print(": ");
  print(what);
  print("\n");
  leave(0);
}

static void print_hex(uint64_t number) {
  char text[17];
  int digit;
  for (digit = 0; digit < 16; digit++) {
    text[digit] = "0123456789abcdef"[number >> (60 - 4 * digit) & 15];
  }
  text[16] = 0;
  print(text);
}

void reset(void) {
  const uint32_t *from = &data_image;
  uint32_t *to;
  for (to = &data_start; to != &data_end; to++) *to = *from++;
  for (to = &bss_start; to != &bss_end; to++) *to = 0;
#ifdef CHECK_SIZES
  check_sizes();
#else
  (void)check_sizes;
#endif
  print("digest ");
  print_hex(scenario());
  print("\n");
  leave(1);
}
