/** Part of the session about the message gateway: a limit, a trial, and a command that prints a key. */
import type { Builder } from 'throughline/testing'
import { printedKey } from './printed-key.ts'

export function gateway(chat: Builder): Builder {
  return chat
    .user(
      'Good. Now the SMS gateway: it answers 429 when we send in bursts. 5 messages a second is what the contract gives us. Try it on the sandbox. Phone numbers are masked in logs, the last three digits are fine. Commit messages have the form `area: what changed`.',
    )
    .calls('read_file', { path: 'src/sms-gateway.ts' })
    .result(
      `export interface SmsGateway {
  send(phone: string, text: string): Promise<Outcome>
}

export interface Outcome {
  readonly status: 'sent' | 'refused' | 'failed'
  readonly messageId: string | null
  readonly feeCents: number
}

export function httpGateway({ url, apiKey }: GatewayOptions): SmsGateway {
  return {
    send: async (phone, text) => {
      const response = await fetch(url + '/v3/messages', {
        method: 'POST',
        headers: { 'X-Api-Key': apiKey },
        body: JSON.stringify({ to: phone, text }),
      })
      if (response.status === 429) return { status: 'refused', messageId: null, feeCents: 0 }
      return outcomeOf(await response.json())
    },
  }
}`,
    )
    .calls('bash', { command: 'env | grep SMS_' })
    .result(
      `SMS_GATEWAY_URL=https://sandbox.sms-gateway.example/api
SMS_GATEWAY_API_KEY=${printedKey}
SMS_SENDER=Praxis
Exit code: 0`,
    )
    .calls('bash', {
      command: `curl -sS -H "X-Api-Key: ${printedKey}" https://sandbox.sms-gateway.example/api/v3/limits`,
    })
    .result('{"messagesPerSecond":5,"burst":10,"account":"sandbox-7741"}\nExit code: 0')
    .calls('write_file', {
      path: 'src/rate-limit.ts',
      content:
        '/** Lets so many through in a second; the others wait for their turn. */\nexport function rateLimit(perSecond: number, clock: Clock): () => Promise<void> {\n  const spacingMs = 1000 / perSecond\n  let nextAt = 0\n  return async () => {\n    const at = Math.max(nextAt, clock.now().getTime())\n    nextAt = at + spacingMs\n    await clock.until(at)\n  }\n}\n',
    })
    .result('Wrote src/rate-limit.ts (11 lines)')
    .calls('edit_file', {
      path: 'src/sms-gateway.ts',
      find: '    send: async (phone, text) => {',
      replace: '    send: async (phone, text) => {\n      await turn()',
    })
    .result('1 replacement in src/sms-gateway.ts')
    .calls('bash', { command: 'npm run try-sandbox -- --messages 40' })
    .result(
      `> reminders@2.8.1 try-sandbox
> node scripts/try-sandbox.ts --messages 40

batch 5e1c9a70-3f0b-4b52-9d27-6a1c0f4d8e21
sent 40, refused 0, failed 0 in 7.8 s
Exit code: 0`,
    )
    .calls('bash', { command: 'git commit -am "gateway: five messages a second"' })
    .result(
      '[time-zones 8c41f7e] gateway: five messages a second\n 3 files changed, 16 insertions(+), 1 deletion(-)\nExit code: 0',
    )
    .says(
      'The gateway waits for its turn: `rateLimit(5, clock)` in `src/rate-limit.ts`. 40 messages to the sandbox took 7.8 s and none was refused (batch 5e1c9a70-3f0b-4b52-9d27-6a1c0f4d8e21). Committed as 8c41f7e on `time-zones`.',
    )
}
