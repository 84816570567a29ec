/** Whether a server with a gateway answers at an address. */
export async function gatewayAnswers(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(waitMs)
    const [health, hello] = await Promise.all([
      fetch(`${url}/healthz`, { signal }),
      fetch(`${url}/api/hello`, { method: 'HEAD', signal }),
    ])
    return health.ok && hello.ok
  } catch {
    return false
  }
}

const waitMs = 2_000
