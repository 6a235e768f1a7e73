package main

import (
	"runtime"
	"syscall"
	"time"
)

// yieldThread keeps the goroutine on its thread and gives that the lowest priority. The thread ends with
// the goroutine, since only root could raise its priority again.
func yieldThread() error {
	runtime.LockOSThread()
	const thisThread, lowest = 0, 19 // Linux counts priorities by thread, whatever the name
	return syscall.Setpriority(syscall.PRIO_PROCESS, thisThread, lowest)
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
