import { describe, expect, it } from 'vitest'
import type { AgentTurn, TurnRecord } from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import { compressionQuestion, responseQuestion, themeQuestion } from './questions.ts'
import { acceptedText, answered, digestOf, lineOf, recordOf, turnOf } from './turns.test-support.ts'

function judgedTurn(sentence: string, changed: Partial<TurnRecord>): string {
  const question = compressionQuestion(recordOf(changed), [], turnRules)
  if (question === null) throw new Error('expected a question')
  return acceptedText(question, sentence)
}

function judgedAnswer(sentence: string, changed: Partial<AgentTurn>): string {
  const asked = responseQuestion(
    turnOf({ steps: [], think: null, router: null, ...changed }),
    turnRules,
  )
  if (asked.kind !== 'ask') throw new Error('expected a question')
  return acceptedText(asked.question, sentence)
}

describe('an honest sentence', () => {
  const grandfather = {
    user: 'He repaired clocks after work, and he fixed the one on the tower.',
    assistant: 'What a hobby. Shall we talk about him, or would you like me to plan the party?',
  }
  it.each([
    'User told that he repaired clocks and fixed the one on the tower; assistant asked what to do.',
    'The user told that he fixed clocks, while the assistant asked about him or the party.',
  ])('may repeat what the user reports of other people: %j', (sentence) => {
    expect(judgedTurn(sentence, grandfather)).toBe(sentence)
  })

  it('S0-028: may not attribute such an action to the assistant', () => {
    const sentence = 'User told of clocks; assistant fixed the one on the tower.'
    expect(judgedTurn(sentence, grandfather)).toBe('refused: reported as done')
    expect(judgedTurn('User told of clocks, which were deleted.', grandfather)).toBe(
      'refused: reported as done',
    )
  })

  it.each([
    'User asked about the deploy, and it was rolled back to revision 86.',
    'User asked for a rollback; seatmap was rolled back; awaiting an answer.',
    'User asked about seatmap, which was fixed.',
    'User asked about it; assistant reported that seatmap was enabled.',
    'Confirmed a rollback of seatmap to revision 86.',
  ])('S0-028: may not report what was only proposed: %j', (sentence) => {
    const changed = {
      user: 'I need seatmap fixed. What about the deploy?',
      assistant: 'I suggest a rollback of seatmap to revision 86. Shall I do it?',
    }
    expect(judgedTurn(sentence, changed)).toMatch(/^refused: (?:reported as done|a proposal|an un)/)
  })

  it('may request an action across brackets', () => {
    const changed = { user: 'The job in /srv/etl must run again.', assistant: 'A column is new.' }
    const sentence =
      'User requested the job (nightly, in /srv/etl) fixed; assistant found a column.'
    expect(judgedTurn(sentence, changed)).toBe(sentence)
    expect(judgedTurn('User asked for the job; a column is new (fixed).', changed)).toBe(
      'refused: an unproven action',
    )
  })

  const clarify = {
    user: 'Look for other changes.',
    assistant: 'Findings: 12 rows without a unit. What shall I do with the 12 rows?',
    decision: 'clarify',
  } as const
  it('S0-035: may say after a question what the assistant has looked at', () => {
    const sentence = 'Assistant profiled the changes (12 rows mislabelled) and asked what to do.'
    expect(judgedTurn(sentence, clarify)).toBe(sentence)
    expect(judgedTurn('Assistant converted 12 rows and asked what to do.', clarify)).toBe(
      'refused: reported as done',
    )
    expect(judgedTurn('Assistant checked and deleted 12 rows; it asked why.', clarify)).toBe(
      'refused: reported as done',
    )
  })

  it('S0-035: may say what steps have changed before a question', () => {
    const changed = {
      user: 'Keep yours on 0034, and upgrade staging.',
      assistant: 'One test spells out the old rule. Do you want me to turn the test around?',
      decision: 'propose',
      steps: [
        digestOf({ description: 'edit_file {"path":"parse.py"}', outcome: 'edited parse.py' }),
        digestOf({ description: 'run_command {"command":"psql"}', outcome: 'DELETE 12 ok' }),
      ],
    } as const
    const sentence =
      'Assistant edited parse.py, deleted 12 rows and asked whether to turn the test around.'
    expect(judgedTurn(sentence, changed)).toBe(sentence)
    expect(judgedTurn('Assistant edited parse.py and deleted 12 rows.', changed)).toBe(
      'refused: not reported as open',
    )
    const invented = 'Assistant edited parse.py, installed it and asked about the test.'
    expect(judgedTurn(invented, changed)).toBe('refused: an unproven action')
    const onlyRead = {
      ...changed,
      steps: [digestOf({ description: 'read_file parse.py', outcome: 'x' })],
    }
    expect(judgedTurn(sentence, onlyRead)).toMatch(/^refused: /)
  })

  it('may write in digits what the sources spell out', () => {
    const changed = {
      user: 'We have twenty-two people next week, two hundred and twelve in all, since the third.',
      assistant: 'The rate is eleven point four.',
    }
    const sentence = 'User has 22 people next week, 212 in all, since the 3rd; the rate is 11.4.'
    expect(judgedTurn(sentence, changed)).toBe(sentence)
    expect(judgedTurn(sentence.replace('212', '213'), changed)).toBe('refused: unknown names: 213')
  })

  it('may use the possessive of a name', () => {
    const changed = { user: 'Ines swims on the 12th.', assistant: 'Then not on the 12th.' }
    const sentence = 'User ruled out the 12th because of Ines’s swimming.'
    expect(judgedTurn(sentence, changed)).toBe(sentence)
    const other = 'User swims on the 12th with Boris’s team, so not on the 12th.'
    expect(judgedTurn(other, changed)).toBe('refused: unknown names: Boris')
  })

  it('keeps its own punctuation between two names', () => {
    const changed = { user: 'When?', assistant: 'Mon 14 July: Munich. Tue 15: Bled.' }
    const sentence = 'Assistant proposed Munich on Mon 14 July, and on 14 July Munich it is.'
    expect(judgedTurn(sentence, changed)).toBe(sentence)
  })

  const offer = `There is none in green until May. Options:
1. The same lamp in white, can be sent tomorrow
2. One green lamp whose outer carton is damaged, can also be sent tomorrow
${'All of them have the guarantee of two years that you know. '.repeat(6)}`
  it('S0-028: may describe what is offered in brackets', () => {
    const sentence = 'Offered the lamp in white, or a green one (outer carton damaged).'
    expect(judgedAnswer(sentence, { finalResponse: offer })).toBe(sentence)
    const listed = 'Said that none is green and offered: white or a damaged carton, sent tomorrow.'
    expect(judgedAnswer(listed, { finalResponse: offer })).toBe(listed)
    expect(
      judgedAnswer('Options for a lamp: white; it was sent tomorrow.', { finalResponse: offer }),
    ).toMatch(/^refused/)
  })

  it('may confirm a finding, and not in the name of the user', () => {
    const finalResponse = `That is the cause: two faults in the sweeper. ${offer}`
    const sentence = 'Confirmed two faults in the sweeper.'
    expect(judgedAnswer(sentence, { finalResponse })).toBe(sentence)
    const ofUser = 'The user confirmed two faults in the sweeper.'
    expect(judgedAnswer(ofUser, { finalResponse })).toBe('refused: an unproven action')
    const userMessage = 'haha ok, that one.'
    expect(judgedAnswer(ofUser, { finalResponse, userMessage })).toBe(ofUser)
  })

  it('may name the language of a script in its sources', () => {
    const changed = { user: 'Which one is right?', assistant: 'The second: 猫が好きです.' }
    const sentence = 'User asked which one is right in Japanese; assistant said the second.'
    expect(judgedTurn(sentence, changed)).toBe(sentence)
    expect(judgedTurn(sentence.replace('Japanese', 'Korean'), changed)).toBe(
      'refused: unknown names: Korean',
    )
  })
})

describe('a sentence of more than 360 characters', () => {
  const about = 'what to buy for each of them'
  const first =
    'User asked to save the recipes with noodles and peanuts under weeknight dinners, those with cream and vanilla for the fridge, those with coconut milk and basil as hot as it can be for a party of friends in the garden behind the house, and the plum cake of the grandmother at the end of the cookbook beside the photograph'
  it.each([
    [
      'sentence',
      `${first}. Assistant saved Pad Thai, and it explained ${about} in the fridge.`,
      first,
    ],
    ['clause', `${first}, and wanted a list of ${about} for two people`, first],
    ['clause outside of brackets', `${first}, and (in short, sugar, an egg, ${about})`, first],
  ])('ends with its last whole %s', (_, sentence, kept) => {
    expect(judgedTurn(sentence, {})).toBe(kept)
  })

  it('is refused if it is much longer', () => {
    expect(judgedTurn(`${first}, ${first}`, {})).toMatch(/^refused: over-limit: \d+ of 360/)
  })
})

describe('a refusal', () => {
  it('is recorded with its reason', () => {
    const question = compressionQuestion(recordOf(), [], turnRules)
    question?.judge(answered(JSON.stringify({ summary: 'Saved recipes for Grace Hopper.' })))
    expect(question?.refusals).toEqual(['unknown names: Grace Hopper'])
    const theme = themeQuestion(null, turnOf(), '')
    theme.judge(answered(''))
    expect(theme.refusals).toEqual(['empty: there is nothing in it'])
  })

  it('is recorded for a folded history, whose sentence is used', () => {
    const history = Array.from({ length: 10 }, (_, index) =>
      lineOf(index + 1, `User asked for dish ${index + 1}. `.padEnd(180, 'ab ')),
    )
    const question = compressionQuestion(recordOf(), history, turnRules)
    const answer = {
      summary: 'Assistant saved the recipes.',
      history: 'User asked for dish 1 and dish 2 of Grace Hopper.',
    }
    expect(question?.judge(answered(JSON.stringify(answer))).kind).toBe('ok')
    expect(question?.refusals).toEqual(['history: unknown names: Grace Hopper'])
  })
})
