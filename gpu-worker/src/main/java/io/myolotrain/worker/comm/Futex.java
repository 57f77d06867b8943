package io.myolotrain.worker.comm;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * Sleeping on a word of shared memory: futex(2), through JNA's direct mapping of syscall(2). The words are not private to
 * a process. Where there is no futex, a sleeper naps and polls.
 */
final class Futex {
    private static final long WAIT = 0;
    private static final long WAKE = 1;
    private static final long NAP_NANOS = 50_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long SYSCALL_NUMBER = register();

    private Futex() {}

    // syscall(2) is variadic in C; on Linux' x86-64 and arm64 its arguments travel in registers all the same.
    private static native long syscall(
            long number, long address, long operation, long value, long timeout, long address2, long value3);

    private static long register() {
        if (!Platform.isLinux() || !(Platform.isIntel() || Platform.isARM()) || !Platform.is64Bit()) {
            return -1;
        }
        Native.register(Futex.class, "c");
        return Platform.isARM() ? 98 : 202;
    }

    private static final ThreadLocal<Memory> TIMESPEC = ThreadLocal.withInitial(() -> new Memory(16));

    static long addressOf(ByteBuffer direct) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
    }

    /** Sleeps while the word holds {@code expected}; may return early for any reason, so callers look again. */
    static void await(long address, int expected, long timeoutNanos) {
        if (SYSCALL_NUMBER < 0) {
            LockSupport.parkNanos(Math.min(NAP_NANOS, timeoutNanos));
            return;
        }
        Memory timespec = TIMESPEC.get();
        timespec.setLong(0, timeoutNanos / NANOS_PER_SECOND);
        timespec.setLong(8, timeoutNanos % NANOS_PER_SECOND);
        syscall(SYSCALL_NUMBER, address, WAIT, expected, Pointer.nativeValue(timespec), 0, 0);
    }

    static void wakeAll(long address) {
        if (SYSCALL_NUMBER >= 0) {
            syscall(SYSCALL_NUMBER, address, WAKE, Integer.MAX_VALUE, 0, 0, 0);
        }
    }
}
