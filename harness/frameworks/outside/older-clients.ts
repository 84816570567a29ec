/** Clients of an older major version, and that of Google: they compile with our types, and the first two play. */
import { GoogleGenAI } from '@google/genai'
import Anthropic from 'anthropic-0'
import OpenAI from 'openai-6'
import type { Context, Throughline } from 'throughline'
import {
  anthropicMessages,
  geminiContents,
  openaiChat,
  openaiResponses,
} from 'throughline/adapters'
import { withThroughline } from 'throughline/clients'
import { chat, messages, responses } from '../client-doors.ts'
import type { DoorTable } from '../doors.ts'

/** Only compiled. */
export async function writtenForEach(engine: Throughline, context: Context): Promise<void> {
  const options = { engine, conversation: 'a' }
  const openai = withThroughline(new OpenAI(), options)
  await openai.chat.completions.create({ model: 'gpt-5', ...openaiChat.write(context) })
  await openai.responses.create({ model: 'gpt-5', ...openaiResponses.write(context) })
  const anthropic = withThroughline(new Anthropic(), options)
  const model = 'claude-sonnet-5-5'
  const written = anthropicMessages.write(context)
  await anthropic.messages.create({ model, max_tokens: 100, ...written })
  const { contents, ...config } = geminiContents.write(context)
  await new GoogleGenAI({}).models.generateContent({ model: 'gemini-3-pro', contents, config })
}

// The doors use what both versions have; their types differ elsewhere.
const older = { openai: OpenAI as never, anthropic: Anthropic as never }

export const doors: DoorTable = {
  'openai-6': chat(true, older.openai),
  'openai-6-responses': responses(true, older.openai),
  'anthropic-0': messages(true, older.anthropic),
}
