/** Runs a program with our streams, passes signals on, and exits with its exit code or signal. */
import { spawn } from 'node:child_process'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

export function runWith(node, words) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, words, {
      stdio: 'inherit',
      env: { ...process.env, THROUGHLINE_RELAUNCHED: '1' },
    })
    const passOn = (signal) => child.kill(signal)
    for (const signal of signals) process.on(signal, passOn)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const each of signals) process.off(each, passOn)
      // Exits with the same signal as the child.
      if (signal === null) process.exitCode = code ?? 1
      else process.kill(process.pid, signal)
      resolve()
    })
  })
}
