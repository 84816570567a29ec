import { describe, expect, it } from 'vitest'
import type { Entity } from '../../domain/entity.ts'
import { processorMs } from '../../extract/processor-time.test-support.ts'
import { known, waiting } from '../entity.test-support.ts'
import { touchMentioned } from './find-mentions.ts'

const named = (entity: Partial<Entity>, ...texts: readonly string[]) =>
  touchMentioned([known({ id: 'no-1', ...entity })], 3, texts).touched.length === 1

describe('a label', () => {
  it('A-005 S0-048: is found in any case and next to any punctuation', () => {
    const label = 'Rice Bowl'
    for (const text of [
      ...['Rice Bowl', 'more RICE BOWL please', '"rice bowl"', '**Rice Bowl**', 'the rice-bowl'],
      ...['Rice\nBowl', "Rice Bowl's sauce", '(Rice Bowl)', 'ricebowl rice bowl'],
    ])
      expect([text, named({ label }, text)]).toEqual([text, true])
  })

  it('matches only complete words', () => {
    const label = 'Rice Bowl'
    for (const text of [
      ...['price bowl', 'rice bowls', 'ricebowl', 'rice', 'bowl', 'bowl rice', 'rice and bowl', ''],
    ])
      expect([text, named({ label }, text)]).toEqual([text, false])
    expect(named({ label: 'Ana' }, 'a banana')).toBe(false)
    expect(named({ label: 'Rice Bowl' }, 'so much rice', 'bowl of soup')).toBe(false)
  })

  it('is found after a partial match of itself or of others', () => {
    expect(named({ label: 'rice rice bowl' }, 'rice rice rice bowl')).toBe(true)
    const entities = [
      known({ id: 'no-1', label: 'fried rice bowl deluxe' }),
      known({ id: 'no-2', label: 'rice bowl' }),
      known({ id: 'no-3', label: 'bowl' }),
    ]
    expect(touchMentioned(entities, 3, ['a fried rice bowl']).touched).toEqual(['no-2', 'no-3'])
    expect(touchMentioned(entities, 3, ['fried rice bowl', 'deluxe']).touched).toEqual([
      'no-2',
      'no-3',
    ])
  })

  it('needs three characters, or a letter and a digit', () => {
    expect(named({ label: 'Pho' }, 'a pho')).toBe(true)
    expect(named({ label: 'Ox' }, 'an ox')).toBe(false)
    expect(named({ label: 'R2' }, 'the r2')).toBe(true)
    expect(named({ label: '42' }, 'the 42')).toBe(false)
    expect(named({ label: '420' }, 'the 420')).toBe(true)
    expect(named({ label: 'A B' }, 'a b')).toBe(false)
    expect(named({ label: 'A B C' }, 'a b c')).toBe(true)
    expect(named({ label: '***' }, '***')).toBe(false)
    expect(named({ label: '' }, '')).toBe(false)
  })

  it('is found in any Unicode form of its letters', () => {
    expect(named({ label: 'Crème Brûlée' }, 'creme brulee')).toBe(false)
    expect(named({ label: 'Crème Brûlée' }, 'CRE\u0300ME BRU\u0302LE\u0301E')).toBe(true)
    expect(named({ label: 'Ｒｉｃｅ' }, 'rice')).toBe(true)
    expect(named({ label: 'ΚΑΦΕΣ' }, 'καφες')).toBe(true)
    expect(named({ label: 'Weißwurst' }, 'WEISSWURST')).toBe(true)
    expect(named({ label: 'WEIẞWURST' }, 'weisswurst')).toBe(true)
  })

  it('is found in scripts without spaces, from two characters on', () => {
    expect(named({ label: '豆腐' }, '今晚吃豆腐吧')).toBe(true)
    expect(named({ label: '豆腐' }, '豆の腐')).toBe(false)
    expect(named({ label: '茶' }, '喝茶')).toBe(false)
    expect(named({ label: '비빔밥' }, '비빔밥을 주세요')).toBe(true)
    expect(named({ label: 'ข้าวผัด' }, 'ทำข้าวผัดกัน')).toBe(true)
    expect(named({ label: 'カレーライス' }, 'ｶﾚｰﾗｲｽを作る')).toBe(true)
  })
})

describe('an id', () => {
  const label = 'Soup'

  it('A-005: is found as a whole, in any case', () => {
    for (const text of [
      ...[
        'see r-9.',
        '(R-9)',
        '`r-9`',
        'id:r-9',
        'id=r-9',
        '/recipes/r-9/steps',
        '#r-9',
        'r-9を作る',
      ],
      ...["r-9's", 'r-9, r-8', 'r-9…', '@r-9', '-r-9-'],
    ])
      expect([text, named({ id: 'r-9', label }, text)]).toEqual([text, true])
    for (const text of ['r-91', 'r-9-1', 'sub-r-9', 'r_9', 'r 9', 'r-9.5', 'xr-9', ''])
      expect([text, named({ id: 'r-9', label }, text)]).toEqual([text, false])
  })

  it('may be any text: with spaces it is matched as words', () => {
    const uuid = '7f1c2a44-0b7e-4a55-9f1e-3a6f0d9f2b11'
    expect(named({ id: uuid, label }, `it is ${uuid.toUpperCase()}!`)).toBe(true)
    expect(named({ id: 'recipe no. 7', label }, 'Recipe No. 7 again')).toBe(true)
    expect(named({ id: 'recipe no. 7', label }, 'Recipe No. 77')).toBe(false)
    expect(named({ id: '豆腐-1', label }, '做豆腐-1吧')).toBe(true)
    expect(named({ id: '#123', label }, 'ID: 123')).toBe(true)
    expect(named({ id: '12', label }, '12 eggs')).toBe(false)
    expect(named({ id: 'r9', label }, 'r9')).toBe(true)
    expect(named({ id: '::', label }, 'a :: b')).toBe(false)
  })

  it('X0-5: may be a former id', () => {
    expect(named({ aliases: ['temp_1', 'temp_2'], label }, 'save temp_2')).toBe(true)
    expect(named({ aliases: ['temp_1', 'temp_2'], label }, 'save temp_3')).toBe(false)
  })
})

describe('a named entity', () => {
  it('A-005: gets a new `turnLastRef`, and nothing else', () => {
    const { entities, touched } = touchMentioned([known()], 4, ['Rice Bowl'])
    expect(touched).toEqual(['r-9'])
    expect(entities).toEqual([known({ turnLastRef: 4 })])
    expect(touchMentioned(entities, 4, ['Rice Bowl'])).toEqual({ entities, touched })
  })

  it('A-005 X0-4: becomes active again if a database has it, else pending', () => {
    const gone = { state: 'inactive', since: 3 } as const
    const { entities } = touchMentioned([known(gone), waiting(gone)], 4, ['rice bowl'])
    expect(entities).toEqual([
      known({ state: 'active', since: 4, turnLastRef: 4 }),
      waiting({ state: 'pending', since: 4, turnLastRef: 4 }),
    ])
  })

  it('A-005: stays inactive if this turn made it inactive', () => {
    const rejected = known({ state: 'inactive', since: 4 })
    expect(touchMentioned([rejected], 4, ['no Rice Bowl']).entities).toEqual([
      { ...rejected, turnLastRef: 4 },
    ])
    expect(touchMentioned([rejected], 5, ['the Rice Bowl']).entities[0]?.state).toBe('active')
  })

  it('S0-053: keeps `since` if it is a draft', () => {
    expect(touchMentioned([waiting()], 3, ['Rice Bowl']).entities).toEqual([
      waiting({ turnLastRef: 3 }),
    ])
  })

  it('is listed in the order of the registry, and others stay unchanged', () => {
    const entities = [
      known({ id: 'r-1', label: 'Soup' }),
      known({ id: 'r-2', label: 'Stew' }),
      known({ id: 'r-3', label: 'Cake' }),
    ]
    const after = touchMentioned(entities, 2, ['cake, then soup', 'and soup'])
    expect(after.touched).toEqual(['r-1', 'r-3'])
    expect(after.entities[1]).toBe(entities[1])
    expect(touchMentioned(entities, 2, []).touched).toEqual([])
  })
})

describe('the running time', () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    known({ id: `x-${index}`, aliases: [`temp_${index}`], label: `${'a '.repeat(index % 20)}b` }),
  )
  const size = 100_000
  const filled = (piece: string) => piece.repeat(size / piece.length)

  it('is linear if label and text repeat the same words', () => {
    const endless = known({ id: 'no-1', label: 'a '.repeat(5_000) })
    expect(processorMs(() => touchMentioned([endless], 2, [filled('a ')]), 200)).toBeLessThan(200)
  })

  it.each([
    ['words that begin every label', filled('a ')],
    ['marks without end', `a${filled('\u0301\u0316')}`],
    ['marks that are letters before they are normalized', `a${filled('\uff9e\u0301')}`],
    ['marks between which an id may stand', `${filled('.-')}a`],
    ['one run of ids', filled('a-b:')],
    ['half characters', filled('\ud83d ')],
    ['one word', filled('a')],
    ['a script without spaces', filled('豆腐')],
  ])('is linear: %s', (_, text) => {
    expect(processorMs(() => touchMentioned(many, 2, [text]), 400)).toBeLessThan(400)
  })

  it('A-005: a mention does not restore a rejected or replaced entity', () => {
    const rejected = known({ state: 'inactive', since: 2, rejected: true })
    const { entities } = touchMentioned([rejected], 5, ['Never suggest Rice Bowl again'])
    expect(entities).toEqual([{ ...rejected, turnLastRef: 5 }])
  })

  it('a short number names an entity after its type or as #17, but not alone', () => {
    const entity = known({ id: '17' })
    const names = (text: string) => touchMentioned([entity], 5, [text]).touched.length === 1
    expect(['17 eggs', 'at 17', '#170', 'recipe 170'].filter(names)).toEqual([])
    expect(['Recipe 17, please', 'see #17.'].filter(names)).toHaveLength(2)
  })
})
