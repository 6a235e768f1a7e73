package main

import (
	"runtime"
	"syscall"
	"time"
)

// apart does something on a thread of its own at a low priority, and waits for it. Nothing that others may
// wait for, such as a transaction, belongs there. The lowest priority gets so little of a busy machine that a
// stop would take seconds.
func apart(do func()) {
	const thisThread, nicer, nicest = 0, 10, 19 // Linux counts by thread, whatever the name of the call
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the thread ends here, since only root could raise its priority again
		if inverse, err := syscall.Getpriority(syscall.PRIO_PROCESS, thisThread); err == nil {
			nice := 20 - inverse
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, thisThread, min(nice+nicer, nicest)) // lowering is always allowed
		}
		do()
	}()
	<-done
}

// processorTime is what the calling thread has used so far.
func processorTime() time.Duration {
	const ofThread = 1 // RUSAGE_THREAD
	var use syscall.Rusage
	if err := syscall.Getrusage(ofThread, &use); err != nil {
		panic(err) // its arguments are right
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
