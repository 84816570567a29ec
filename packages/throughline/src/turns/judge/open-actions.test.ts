import { describe, expect, it } from 'vitest'
import {
  openInAnswer,
  openInLines,
  reportsAction,
  reportsOpen,
  reportsOpenAsDone,
} from './open-actions.ts'

describe('an action', () => {
  it.each([
    'Saved the recipes.',
    'Assistant designed three recipes.',
    'Assistant proposed a plan and saved the recipes.',
    'User asked for recipes; the assistant wrote them.',
    'Die Rezepte wurden gespeichert.',
    'Der Assistent hat die Rezepte angelegt.',
    'Les recettes ont été enregistrées.',
    'El asistente guardó las recetas.',
    'As receitas foram salvas.',
    'Le ricette sono state salvate.',
    'De recepten werden opgeslagen.',
    'Рецепты сохранены.',
    '助手已保存食谱。',
    'レシピを保存しました。',
    '레시피를 저장했습니다.',
  ])('S0-028: is reported by %j', (text) => {
    expect(reportsAction(text)).toBe(true)
  })

  it.each([
    'Proposed to save the recipes; awaiting confirmation.',
    'User requested recipes, assistant proposed a plan.',
    'The assistant asked which recipes should be saved.',
    'The recipes could not be saved.',
    'Explained how rice is cooked.',
    'Planning rice bowl meal prep',
    'Detailed notes on a bed of rice, based on indeed good seed.',
    'Der Assistent schlug vor, die Rezepte zu speichern.',
    'Der Assistent hat vorgeschlagen, die Rezepte zu speichern.',
    "L'assistant a proposé d'enregistrer les recettes.",
    'El asistente propuso guardar las recetas.',
    'Ассистент предложил сохранить рецепты.',
    '助手提出了保存食谱的计划。',
    '保存を提案した。',
    '저장을 제안했다.',
  ])('S0-028: is not reported by %j', (text) => {
    expect(reportsAction(text)).toBe(false)
  })

  it('S0-028: is open if the text says so', () => {
    for (const text of [
      'It proposed a plan.',
      'Nothing was saved.',
      'Es soll gespeichert werden.',
      '等待确认',
    ])
      expect(reportsOpen(text), text).toBe(true)
    for (const text of ['Saved.', 'Gespeichert.', '已保存'])
      expect(reportsOpen(text), text).toBe(false)
  })
})

describe('an open action', () => {
  it.each([
    ["I'll save the recipes for you.", 'Saved the recipes.'],
    ['Would you like me to save these recipes?', 'The assistant saved recipes.'],
    ['I suggest to migrate the schedule table. Tests passed.', 'The schedule table was migrated.'],
    ['I will save recipes and noodles.', 'Saved recipes noodles gearbox housing'],
    ['Ich werde Reis kochen.', 'Reis wurde gekocht.'],
    ['我会保存这些食谱。', '助手已保存食谱。'],
    ['Ich werde die Rezepte speichern.', 'Die Rezepte wurden gespeichert, speichern der Rezepte.'],
  ])('S0-028 INV-12: in %j is reported as done by %j', (answer, summary) => {
    expect(reportsOpenAsDone(summary, openInAnswer(answer))).toBe(true)
  })

  it.each([
    ["I saved the recipes. I'll send the list next.", 'Saved the recipes.'],
    ["I'll save the recipes. I saved the recipes now.", 'Saved the recipes.'],
    ["I'll save the recipes.", 'Proposed to save the recipes.'],
    ["I'll save the recipes.", 'Deleted an appointment.'],
    ["I'll save the recipes.", 'Saved an appointment.'],
    ['The recipes are here.', 'Saved the recipes.'],
  ])('S0-028: in %j does not contradict %j', (answer, summary) => {
    expect(reportsOpenAsDone(summary, openInAnswer(answer))).toBe(false)
  })

  it('S0-035 X0-6: in history lines stays open when they are folded', () => {
    const lines = [
      'Turn 1: User asked for soup; assistant saved the soup recipe',
      'Turn 2: assistant proposed to book a table',
    ]
    expect(
      reportsOpenAsDone(
        'The assistant saved the soup recipe and booked a table.',
        openInLines(lines),
      ),
    ).toBe(true)
    expect(
      reportsOpenAsDone(
        'The assistant saved the soup recipe and proposed to book a table.',
        openInLines(lines),
      ),
    ).toBe(false)
  })
})
