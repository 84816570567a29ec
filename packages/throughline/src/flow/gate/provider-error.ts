/**
 * Whether a draft is the words of a server that failed, which some clients hand on as an
 * answer. A summary tells of errors as well; this is for texts that are nothing else.
 */
const longest = 1_500

export function isProviderError(text: string): boolean {
  const plain = text.trim()
  if (isErrorValue(plain) || /^(?:<!doctype html|<html[\s>]|<\?xml )/i.test(plain)) return true
  return (
    plain.length <= longest &&
    opens.test(plain.replace(/^[\s#*_>`[\]-]+/, '')) &&
    lineCount(plain) <= 12
  )
}

/** An object with an error and no summary in it; an event of a stream as well. */
function isErrorValue(text: string): boolean {
  const start = text.slice(0, 400).replace(/^(?:event: ?\w+\s+)?(?:data: ?)?/, '')
  if (!/^[[{]/.test(start)) return false
  return /^[[{\s]{0,10}"(?:error|errors|type"\s{0,4}:\s{0,4}"error|detail|message|status|statusCode|code|object"\s{0,4}:\s{0,4}"error)"/i.test(
    start,
  )
}

function lineCount(text: string): number {
  return text.split('\n', 20).length
}

const opens = new RegExp(
  [
    '(?:(?:api|http|network|server|stream|request|fetch|upstream|provider|model|internal|unexpected|unhandled|fatal|uncaught|timeout|rate limit|invalid request|authentication|permission|connection|openai|anthropic|gemini|azure|bedrock)[ _]){0,3}[\\w.]{0,40}(?:error|exception|fehler|erreur)(?: \\w{1,20}){0,4} ?[:([{]',
    '(?:error|failed|unable|could not|failure|fehler beim|erreur lors)(?:[: ]| to )+(?:generat|creat|produc|mak|call|fetch|connect|communicat|summar|while|during|occurred|in|processing)',
    'traceback \\(most recent call last\\)',
    '(?:http(?:/\\d(?:\\.\\d)?)?|status(?: code)?|error(?: code)?)[: ]{1,2}[45]\\d\\d(?!\\d)',
    '[45]\\d\\d(?:[ :,.-]+(?:error|bad|too|internal|service|gateway|unauthori[sz]ed|forbidden|not found|request|payload|overloaded|the|\\{|rate)|$)',
    "(?:rate.?limit(?:ed)?|too many requests|internal server error|service (?:temporarily )?unavailable|bad gateway|gateway time-?out|request timed? ?out|the (?:server|model|engine|service) (?:had an error|is (?:currently )?overloaded|is (?:temporarily )?unavailable|encountered)|overloaded(?:_error)?(?:$|[:. ])|upstream (?:connect|request|error)|fetch failed|socket hang up|connection (?:refused|reset|error|closed|timed out)|econn\\w+|etimedout|enotfound|context_length_exceeded|insufficient_quota|invalid_api_key|you (?:have )?exceeded your current quota|you have been rate limited|(?:this model's )?maximum context length|incorrect api key|no endpoints found|an (?:internal |unexpected |unknown )?error (?:has )?occurred|something went wrong|your (?:credit balance|request was|input exceeds)|prompt is too long|terminated$|operation was aborted|the operation was aborted|response (?:timed out|was blocked)|content (?:filter|blocked))",
  ]
    .map((source) => `^(?:${source})`)
    .join('|'),
  'i',
)
