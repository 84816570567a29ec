/**
 * What the adapters write, sent to the services themselves: the rules that we wrote
 * down are theirs. Costs a few cents, and runs only where a key is at hand.
 */
import { describe, expect, it } from 'vitest'
import { histories } from './histories.ts'
import { send, services } from './services.ts'

describe.each(services)('$name', (service) => {
  const key = process.env[service.variable] ?? ''
  const title = (text: string) => (key === '' ? `${text} (skipped: no ${service.variable})` : text)

  it.each(Object.entries(histories))('passes its own rules: %s', (_, context) => {
    expect(service.problems(service.write(context))).toEqual([])
  })

  it('finds the request that breaks a rule', () => {
    expect(service.problems(service.broken)).not.toEqual([])
  })

  describe.skipIf(key === '')(title('asked itself'), { timeout: 60_000 }, () => {
    it.each(Object.entries(histories))(title('takes %s'), async (_, context) => {
      const { status, said } = await send(service, key, service.write(context))
      expect(status, said).toBeLessThan(300)
    })

    it(title('refuses a call that nobody answers'), async () => {
      const { status, said } = await send(service, key, service.broken)
      expect(status, said).toBeGreaterThanOrEqual(400)
      expect(status, said).toBeLessThan(500)
      // Refused for what it says, not for the key or the model.
      expect([401, 403, 404, 429], said).not.toContain(status)
    })
  })
})
