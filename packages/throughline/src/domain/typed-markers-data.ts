/** Text of clients around what a person typed into a dialog, and where the summary of a client begins and ends. */
import { claudeCode, cline, codex, geminiCli, opencode, type Seen } from './origin-markers-data.ts'

/** A failed tool result that begins with this: the user rejected the call. */
export interface RejectionMarker extends Seen {
  readonly opening: string
  /** What the user typed follows this text; null where nothing can be typed. */
  readonly reasonAfter: string | null
}

const notWritten = '(eg. if it was a file edit, the new_string was NOT written to the file).'

export const rejectionMarkers: readonly RejectionMarker[] = [
  {
    opening: `The user doesn't want to proceed with this tool use. The tool use was rejected ${notWritten}`,
    reasonAfter: 'the user said:\n',
    ...claudeCode,
  },
  {
    opening: `Permission for this tool use was denied. The tool use was rejected ${notWritten}`,
    reasonAfter: 'The user said:\n',
    ...claudeCode,
  },
  {
    opening: "The user doesn't want to take this action right now.",
    reasonAfter: null,
    ...claudeCode,
  },
  {
    opening: 'The agent proposed a plan that was rejected by the user.',
    reasonAfter: null,
    ...claudeCode,
  },
  {
    opening: 'The user rejected permission to use this specific tool call',
    reasonAfter: ' with the following feedback: ',
    ...opencode,
  },
  { opening: 'The user denied this operation', reasonAfter: '<feedback>\n', ...cline },
  { opening: 'exec command rejected by user', reasonAfter: null, ...codex },
  { opening: 'patch rejected by user', reasonAfter: null, ...codex },
  {
    opening: '[Operation Cancelled] Reason: User denied execution.',
    reasonAfter: null,
    ...geminiCli,
  },
  {
    opening: '[Operation Cancelled] Reason: User did not allow tool call',
    reasonAfter: null,
    ...geminiCli,
  },
]

/** Text of clients after the reason. */
export const reasonEndings: readonly string[] = [
  "\n\nNote: The user's next message may contain a correction or preference.",
  '\n</feedback>',
]

/** A tool result that begins with this: a person stopped the call. */
export const interruptions: readonly (Seen & { readonly opening: string })[] = [
  { opening: '[Request interrupted by user', ...claudeCode },
  { opening: 'Interrupted by user', ...claudeCode },
  { opening: 'Tool execution aborted', ...opencode },
  { opening: 'aborted by user', ...codex },
  { opening: '[Operation Cancelled] Reason: User cancelled ', ...geminiCli },
]

/**
 * A reason that begins with this is text of the client: the user wants to talk about the questions
 * first. It lists them, with the answers that were already chosen.
 */
export const clarifiedQuestions = 'The user wants to clarify these questions.'

/** Tools by which an agent asks its user. Only their results may contain answers. */
export const questionTools: readonly string[] = [
  ...['AskUserQuestion', 'question', 'ask_question', 'ask_user', 'ask_followup_question'],
  ...['request_user_input', 'ask_user_question'],
]

/** Before the answers in the result of such a tool. */
export const answersOpening = 'User has answered your questions:'
/** After the answers. */
export const answersEnding = ". You can now continue with the user's answers in mind."

/** Tools by which an agent shows its plan, and the heading of the plan as its user changed it. */
export const planTools: readonly string[] = ['ExitPlanMode', 'exit_plan_mode']
export const approvedPlan = 'User has approved your plan.'
export const editedPlan = '## Approved Plan (edited by user):\n'

/** The summary of a client begins after the last of these. */
export const summaryStarts: readonly string[] = ['\nSummary:\n', '<summary>\n']
/** Instructions of a client after its summary. */
export const summaryEndings: readonly string[] = [
  '\n</summary>',
  '\nPlease continue the conversation from where we left it off',
  '\nIf you need specific details from before compaction',
]
