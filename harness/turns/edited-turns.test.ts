import { memory } from 'throughline/stores/memory'
import { describe, expect, it } from 'vitest'
import { agentChat, model, placesIn, talkAbout, textIn } from './remembering.test-support.ts'

const edited = { role: 'user', content: 'Is it salty?' } as const

describe('a turn whose messages were edited', () => {
  it('has a history line that says so and names its messages', async () => {
    const chat = agentChat(memory())
    await talkAbout(chat, 1, 7)
    await chat.history.edit('#2', edited)
    const context = await chat.context({ model })
    const lines = textIn(context, 'history').split('\n')
    expect(lines).toContain('turn 2: Turn 2 was changed (#2-#3).')
    expect(lines.join()).toContain('Soup 1 is good')
    expect(placesIn(context)).toEqual([])
    expect((await chat.expand('#2-#3'))?.text).toContain('Is it salty?')
  })

  it('is shown as its current messages, with all later ones, if it is recent', async () => {
    const chat = agentChat(memory())
    await talkAbout(chat, 1, 7)
    await chat.history.edit('#8', edited)
    const context = await chat.context({ model })
    expect(placesIn(context)).toEqual([8, 9, 10, 11])
    expect(JSON.stringify(context.messages)).toContain('Is it salty?')
    expect(textIn(context, 'turns')).toContain('Soup 4 is good.')
    expect(textIn(context, 'turns')).not.toContain('Soup 6')
    await talkAbout(chat, 7, 10)
    const later = await chat.context({ model })
    expect(placesIn(later)).toEqual([])
    expect(textIn(later, 'history')).toContain('turn 5: Turn 5 was changed (#8-#9).')
  })
})
