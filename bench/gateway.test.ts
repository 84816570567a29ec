import { expect, it } from 'vitest'
import { gatewayRows, measureGateway } from './gateway.ts'

it('times a conversation through a relay and through the gateway', async () => {
  const rows = await gatewayRows(32_768, 3)
  expect(rows.map(({ method }) => method)).toContain('relay')
  expect(rows.every(({ value }) => Number.isFinite(value))).toBe(true)
  expect(rows[0]?.value).toBeGreaterThan(0)
})

it('generates its own requests', async () => {
  await expect(measureGateway({ dataDir: '.' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})
