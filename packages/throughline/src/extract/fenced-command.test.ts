import { describe, expect, it } from 'vitest'
import { fencedCommandIn } from './shell-command.ts'

describe('fencedCommandIn', () => {
  it('finds the command that a reply ends with', () => {
    expect(fencedCommandIn('I look.\n\n```bash\nls -la\n```\n')).toBe('ls -la')
    expect(fencedCommandIn('```sh\na\nb\n```')).toBe('a\nb')
  })

  it.each([
    ['```bash\nls\n```\nThat is how it is done.'],
    ['```ts\nconst a = 1\n```'],
    ['```bash\na\n```\nor\n```bash\nb\n```'],
    ['```bash\n\n```'],
    ['ls'],
    ['\n```'],
    [''],
  ])('finds none in: %j', (text) => {
    expect(fencedCommandIn(text)).toBeNull()
  })
})
