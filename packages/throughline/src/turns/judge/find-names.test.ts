import { describe, expect, it } from 'vitest'
import { namesIn } from './exact-names.ts'

describe('the names in an answer', () => {
  it('A-013: are bold texts, list items and quotes, in this order', () => {
    const text =
      'I made "Plum Cake".\n- Miso Soup\n- **Pad Thai**: noodles\n2. Green Curry (hot)\n* Bean Stew - a classic\n1) Ramen: broth'
    expect(namesIn(text)).toEqual([
      ...['Pad Thai', 'Miso Soup', 'Green Curry', 'Bean Stew', 'Ramen', 'Plum Cake'],
    ])
  })

  it('A-013: are ten at most', () => {
    const bold = (count: number) =>
      Array.from({ length: count }, (_, index) => `**Dish ${index}**`).join(', ')
    expect(namesIn(`${bold(9)} "Plum Cake" "Bean Stew"`)).toHaveLength(10)
    expect(namesIn(bold(40))).toEqual(Array.from({ length: 10 }, (_, index) => `Dish ${index}`))
  })

  it('A-013: are found at the end of a long text', () => {
    expect(namesIn(`${'word '.repeat(300_000)}\n- **Last Name**`)).toEqual(['Last Name'])
  })

  it.each([
    ['the same twice', '**Pad Thai** and **Pad Thai**', ['Pad Thai']],
    ['with a colon inside', '**Pad Thai:** noodles', ['Pad Thai']],
    ['of another script', '- 红烧肉：猪肉\n「味噌汁」', ['红烧肉', '味噌汁']],
    ['of code', '**parseInvoice** and **src/a.ts**', ['parseInvoice', 'src/a.ts']],
    ['with a number first', '- 7 Spice Mix', ['7 Spice Mix']],
    ['behind code', '```js\n- Bean Stew\n```\n- Miso Soup', ['Miso Soup']],
    ['of two letters', '**Ph**', ['Ph']],
    ['of six words', '- Soup of the Day With Rice', ['Soup of the Day With Rice']],
    ['of eighty letters', `**${'A'.repeat(80)}**`, ['A'.repeat(80)]],
    ['ticked', '- [x] Miso Soup', ['Miso Soup']],
  ])('are found %s', (_, text, names) => {
    expect(namesIn(text)).toEqual(names)
  })

  it.each([
    ['sentences', '- Cook the rice first. Then rest.\n- Stir it well!'],
    ['emphasis', 'It is **very** hot, **not now**'],
    ['long items', '- Soup of the Day With Rice Bowls'],
    ['strings in code', '```js\nconst name = "Plum Cake"\n- Miso\n```'],
    ['descriptions', '- The same mixer in cream\n- 312 rejected rows\n- Refund of £249.00'],
    ['labels', '**Caveat:** hot\n- Note: cold'],
    ['numbers', '- 42\n**17**'],
    ['long runs', `**${'A'.repeat(81)}**`],
  ])('are not %s', (_, text) => {
    expect(namesIn(text)).toEqual([])
  })
})
