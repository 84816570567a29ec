/** A program whose conversation is shown whole, in two requests. */
import { type FitState, fit } from 'throughline'

const tokenizer = {
  id: 'thirds/1',
  exact: false,
  count: (text: string) => Math.ceil(text.length / 3),
}
const model = 'openai/gpt-5-mini'
const first = [{ role: 'user', content: 'Why does the test fail?' }] as const
const { state }: { readonly state: FitState } = await fit({ messages: first, model, tokenizer })
const second = [
  ...first,
  { role: 'assistant', content: 'A race.' },
  { role: 'user', content: 'Fix it.' },
] as const
await fit({ messages: second, state, model, tokenizer })
