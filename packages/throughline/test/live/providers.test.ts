/**
 * Sends the adapters' requests to the real services, to prove that our rules match theirs.
 * Costs a few cents, and runs only if an API key is set.
 */
import { describe, expect, it } from 'vitest'
import { histories } from './histories.ts'
import { send, services } from './services.ts'

describe.each(services)('$name', (service) => {
  const key = process.env[service.variable] ?? ''
  const title = (text: string) => (key === '' ? `${text} (skipped: no ${service.variable})` : text)

  it.each(Object.entries(histories))('finds no problem in our request: %s', (_, context) => {
    expect(service.problems(service.write(context))).toEqual([])
  })

  it('finds the request that breaks a rule', () => {
    expect(service.problems(service.broken)).not.toEqual([])
  })

  describe.skipIf(key === '')(title('as a live service'), { timeout: 60_000 }, () => {
    it.each(Object.entries(histories))(title('accepts %s'), async (_, context) => {
      const { status, body } = await send(service, key, service.write(context))
      expect(status, body).toBeLessThan(300)
    })

    it(title('refuses a call without a result'), async () => {
      const { status, body } = await send(service, key, service.broken)
      expect(status, body).toBeGreaterThanOrEqual(400)
      expect(status, body).toBeLessThan(500)
      // Refused for its content, not for the key or the model.
      expect([401, 403, 404, 429], body).not.toContain(status)
    })
  })
})
