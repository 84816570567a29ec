import { describe, expect, it } from 'vitest'
import { decisionsOf, utterancesOf } from './utterances.ts'

function kinds(text: string, speaker: 'user' | 'assistant'): readonly string[] {
  return utterancesOf(text, speaker).map(({ kind }) => kind)
}

describe('a sentence of a user', () => {
  it.each([
    ['constraint', 'You must not touch the public API.'],
    ['constraint', 'Never use any.'],
    ['constraint', 'Fix it, but don’t add dependencies.'],
    ['constraint', 'No new dependencies.'],
    ['constraint', 'Only the tests may change.'],
    ['constraint', 'Keep the functions short.'],
    ['constraint', 'The deadline is Friday.'],
    ['constraint', 'We use tabs here.'],
    ['constraint', 'The API stays backwards compatible.'],
    ['constraint', 'Every file has a header.'],
    ['constraint', 'The build should take less than a minute.'],
    ['constraint', 'Der Schlüssel darf nicht ins Log.'],
    ['constraint', 'Il faut garder les noms.'],
    ['constraint', 'No toques la base de datos, nunca.'],
    ['constraint', '不要修改接口。'],
    ['constraint', '必ずテストを書くこと。'],
    ['constraint', 'Никогда не меняй схему.'],
    ['preference', 'I prefer short names.'],
    ['preference', "I'd rather have one file."],
    ['preference', "I don't want a second one."],
    ['question', 'Would you say it is late?'],
    ['statement', 'I looked, and all we got is rain.'],
    ['preference', 'Ich hätte gern kurze Namen.'],
    ['preference', '我喜欢短的名字。'],
    ['correction', 'No, that is the other file.'],
    ['correction', "That's not what I asked for."],
    ['correction', 'Actually the port is 8080.'],
    ['correction', 'Nein, das andere.'],
    ['correction', '不对，是另一个文件。'],
    ['decision', 'We decided on Postgres.'],
    ['decision', 'We will go with the second plan.'],
    ['decision', 'Wir haben uns für Postgres entschieden.'],
    ['confirmation', 'Yes.'],
    ['confirmation', 'Sí.'],
    ['confirmation', '好的。'],
    ['confirmation', 'ok, sounds good'],
    ['constraint', 'Yes, but never touch the other one.'],
    ['task', 'Yes, run the tests again.'],
    ['task', 'Add a test for the parser.'],
    ['task', 'Please, can you fix the build?'],
    ['task', 'Could you look at it?'],
    ['task', 'I want you to write the docs.'],
    ['task', 'Bitte schreib einen Test.'],
    ['task', '请添加一个测试。'],
    ['task', 'テストを追加してください'],
    ['question', 'Why does it never stop?'],
    ['question', 'What must I do?'],
    ['question', '这是什么？'],
    ['persistent', 'My sister lives in Lyon.'],
    ['persistent', 'Tabs, not spaces.'],
    ['persistent', '5 messages a second is what the contract gives us.'],
    ['persistent', 'Commit messages have the form of a list.'],
    ['persistent', 'Unsere Rechnungen sind in Euro.'],
    ['statement', 'I think the second one sounds better.'],
    ['statement', 'That was the wrong file.'],
    ['statement', 'Es läuft jetzt wieder.'],
    ['statement', 'It always crashes at night.'],
    ['statement', "I don't know the reason yet."],
    ['constraint', 'Could you keep the paths short from now on?'],
    ['constraint', 'Would you mind keeping the old gate?'],
    ['constraint', 'By the way, no ladders on the lawn.'],
    ['constraint', 'My back is bad, so nothing heavy.'],
    ['constraint', 'Ask me before painting.'],
    ['constraint', 'Give lengths in metres.'],
    ['constraint', 'Use oil, not paint.'],
    ['constraint', 'Please stop whistling.'],
    ['constraint', 'Bitte keine neuen Nägel.'],
    ['retraction', 'Forget the fence.'],
    ['retraction', 'The old limit no longer applies.'],
    ['decision', "Let's go with B."],
    ['decision', 'Option 2.'],
    ['decision', 'The green one it is.'],
    ['task', 'Take a look at the roof.'],
    ['task', 'Fix the hinge of the gate.'],
    ['statement', 'Gate 4711 squeaks at night.'],
  ])('is a %s: %s', (kind, text) => {
    expect(kinds(text, 'user')).toEqual([kind])
  })

  it.each([['Hello there, friend!'], ['Thanks a lot for that.'], ['Merci beaucoup !'], ['hm']])(
    'is nothing to keep: %s',
    (text) => {
      expect(kinds(text, 'user')).toEqual([])
    },
  )

  it.each([
    'List the costs with tax.',
    'Describe furniture by its size.',
    'Include the postcode in addresses.',
    'Put the fragile things on top.',
    'Oh, and one more thing, never stack the boxes.',
    'So only the ground floor works for us.',
    'Would it be possible to avoid the motorway?',
    'Do you think you could answer in one paragraph?',
    'Might I ask for prices in francs?',
    'Can I have the totals at the end of each message?',
    'I was hoping you could write in British English.',
    'It would be nice if lists were short.',
    'I have a bad shoulder, put the heavy box down.',
    'My shoulder is weak, the doctor said to rest it.',
  ])('is a rule in many forms: %s', (text) => {
    expect(['constraint', 'preference', 'persistent']).toContain(kinds(text, 'user')[0])
  })

  it.each([
    'Look at the logs of the server and tell me what happened.',
    'Could you give me a list of the open points?',
    'Would it be possible to see the report?',
    'Do you think you could fix the failing test?',
    'Can I see the diff?',
    'Show me the costs of the last month.',
    'Send the report to Anna.',
  ])('is a task for once: %s', (text) => {
    expect(kinds(text, 'user')).toEqual(['task'])
  })

  it('binds less in a document than in a short message', () => {
    const rule = 'Never paint the gate.'
    expect(kinds(`${rule}\n\n\`\`\`\n${'log line\n'.repeat(400)}\`\`\``, 'user')).toEqual([
      'constraint',
    ])
    expect(kinds(`# Plan\n\n${rule}\n\n## Steps`, 'user')).toEqual(['passage'])
  })

  it('is kept word for word', () => {
    expect(utterancesOf('Hi!  Don’t touch `a.ts`.', 'user')).toEqual([
      { kind: 'constraint', text: 'Don’t touch `a.ts`.', at: 5 },
    ])
  })
})

describe('a sentence of an assistant', () => {
  it.each([
    ['proposal', 'I suggest that we split the file.'],
    ['proposal', 'Shall I run the tests?'],
    ['question', 'Which port is it?'],
    ['decision', 'The root cause is a missing lock.'],
    ['commitment', "I'll run the tests next."],
    ['commitment', '我会先运行测试。'],
  ])('is a %s: %s', (kind, text) => {
    expect(kinds(text, 'assistant')).toEqual([kind])
  })

  it('has decisions, also across a line break', () => {
    const text = 'Let me see.\nAfter all that was tried and said about it, we settled\non Postgres.'
    expect(decisionsOf(text).map(({ text: sentence }) => sentence)).toEqual([
      'After all that was tried and said about it, we settled on Postgres.',
    ])
    expect(decisionsOf('I look at it.')).toEqual([])
  })

  it('is never a rule', () => {
    expect(kinds('You must never do that. The files are there.', 'assistant')).toEqual([])
  })
})
