import { describe, expect, it } from 'vitest'
import { isTemporaryId } from './entity.ts'

describe('a temporary id', () => {
  it.each([
    ...['temp_1', 'temp-recipe-1', 'TEMP_1', 'Temp 1', 'temp:1', 'temp', 'temp12', ' temp_1'],
    ...['tmp-7', 'tmp7', 'tmp', 'temporary_3', 'temporary-recipe'],
    ...['gen_soup', 'gen-1', 'gen1', 'generated_2', 'generated/2'],
    ...['placeholder-id', 'unsaved_4', 'ｔｅｍｐ＿1'],
    ...[
      'new',
      'new_1',
      'new-12',
      'new3',
      'draft_2',
      'local-4',
      'pending-5',
      'unknown',
      'unknown_1',
    ],
    ...['', '   ', 'undefined', 'null', 'NaN', '[object Object]'],
    ...['<recipe_id>', '<>', '{id}', `$${'{id}'}`, '{{ recipe.id }}'],
  ])('S0-054 is %j', (id) => {
    expect(isTemporaryId(id)).toBe(true)
  })

  it.each([
    ...['7f1c2a44-0b7e-4a55-9f1e-3a6f0d9f2b11', '123', 'r-9', 'recipe_temp_1', 'x-temp'],
    ...['temperature', 'temperature-3', 'template-1', 'tempo_2', 'temp3a', 'tmpl-1'],
    ...['genre-3', 'general', 'gender', 'generator-1', 'gen3a', 'placeholders', 'unsavedx'],
    ...['new-york', 'news-1', 'newton', 'draft-beer', 'drafts', 'local-shop', 'new-1-b', 'renew-1'],
    ...[
      'pending-review',
      'unknown-soldier',
      'undefined-1',
      'nullable',
      'nano',
      'a<b>',
      '{a}{b}',
      '<a>b',
    ],
  ])('S0-054 is not %j', (id) => {
    expect(isTemporaryId(id)).toBe(false)
  })
})
