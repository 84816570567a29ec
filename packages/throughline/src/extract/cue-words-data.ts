/**
 * Cue words for rules, wishes, corrections, decisions, promises and questions in several languages,
 * as regular expressions. `first` matches only at the start of a sentence. Scripts without spaces
 * have no word boundaries, so `unspaced` matches inside any text.
 */

/** Verbs that start a request. */
const verbs =
  'add|adjust|analy[sz]e|apply|ask|build|bump|book|cancel|change|check|clean|commit(?! messages?)|compare|continue|convert|copy|create|debug|delete|deploy|describe|design|disable|document|draft|drop|enable|exchange|explain|export|extend|extract|finish|find|fix|generate|get|give|go|help|implement|import|improve|include|inline|install|introduce|investigate|list|look|make|measure|merge|migrate|modify|move|open|optimi[sz]e|plan|port|prepare|print|propose|publish|pull|push|put|read|rebase|recommend|refactor|release|remove|rename|reorder|replace|reproduce|research|resolve|restore|return|revert|review|rewrite|run|search|send|set|show|simplify|sort|split|start|stop|suggest|summari[sz]e|switch|take|tell|test|trace|translate|try|turn|update|upgrade|use|validate|verify|walk|wire|wrap|write'

/** Verbs that say how to answer. */
const speech =
  'answer|reply|write|speak|talk|explain|describe|list|name|count|show|give|put|print|say|spell|number|sort|round|format|label|mark|call|tell'

export const cueWords = {
  correction: {
    first: [
      "no(?=[,.!;:—-]|$)|no (?:that|it|this|you|i|not|wait)|nope|wrong|that'?s (?:not|wrong|incorrect)",
      'that is (?:not|wrong)|not (?:that|what)|actually|i meant|i mean|sorry,? (?:i|but)|wait,|you (?:misunderstood|forgot|missed|broke)',
      "this is (?:wrong|not what)|it'?s (?:wrong|not what)|nein(?=[,.!]|$)|falsch|das (?:ist|war) (?:falsch|nicht)|ich meinte",
      "non(?=[,.!]|$)|c'est faux|ce n'est pas|je voulais dire|no,|eso no|me refería|está mal|não(?=[,.!])|errado|no, intendevo|nee(?=[,.!])|нет(?=[,.!]|$)|неверно",
    ],
    anywhere: ['i (?:said|asked|told you)', 'should have been', "that'?s not what"],
    unspaced: ['^(?:不对|不是|错了|違う|違います|いや、|아니)'],
  },

  /** Always a rule, whatever else the sentence contains. */
  strongConstraint: {
    first: [
      "(?:(?:please|bitte|por favor|merci de)[, ]{1,2})?(?:only|leaving|keeping|avoiding|no (?!one\\b|idea\\b|problem\\b|worries\\b|need to worry\\b)\\p{L}+(?! (?:is|was|works?|worked|does))|nothing|nobody|keep|leave|stick|stay|avoid|ensure|don'?t|do not|never|always|not? more|not (?:now|yet|with|in|on|by|for|like|the|an?)|stop \\p{L}+ing|skip|scrap|ignore|prefer|kein(?:e[nmrs]?)?|nada|ning[uú]n[oa]?|aucune?)",
      'ask me|check with|wait (?:for|until|with)|remind me|let me (?:review|see|know|approve|decide|check)|tell me (?:when|if|before)',
    ],
    anywhere: [
      'from (?:now|here) on(?:wards?)?|going forward|in (?:the )?future|hands off|stay away|ab (?:jetzt|sofort)|künftig|a partir de ahora|de ahora en adelante|désormais',
      "must(?:n'?t)?|must not|(?:never|always)(?<!(?<!\\p{L})(?:i|it|they|this|that|he|she) (?:never|always))|(?:don'?t|do not)(?<!(?<!\\p{L})(?:i|we|they) (?:don'?t|do not))(?! (?:know|think|see|understand|work|exist|have))",
      'may not|shall not|required to|mandatory|forbidden|not allowed|off[- ]limits|out of scope|make sure|be sure to|at (?:most|least)|no (?:more|less|later|fewer) than',
      '(?:use|change|touch|edit|support|allow|return|accept) only|only (?:use|change|touch|edit|if|when|after|with|support|allow|return|accept|in)',
      'without (?:any|a|an|new|the|changing|breaking|touching|using|adding|\\p{L}+ing)|unless|before you|under no circumstances|is not to|are not to|needs? to (?:be|stay|remain)|ha(?:s|ve) to (?:be|stay|remain)',
      'muss|müssen|darf|dürfen|nie|niemals|immer|nur|keinesfalls|auf keinen fall|mindestens|höchstens|ohne dass',
      'doit|doivent|il faut|toujours|jamais|ne (?:pas|jamais)|uniquement|seulement|interdit|au (?:moins|plus)',
      'debe|deben|hay que|siempre|nunca|jamás|solo|sólo|solamente|prohibido|como (?:mínimo|máximo)|no (?:uses|cambies|toques|debes)',
      'deve|devem|sempre|apenas|somente|proibido|devono|mai|soltanto|vietato|moet|moeten|nooit|altijd|alleen|должен|должна|должны|нельзя|никогда|всегда|только|обязательно',
    ],
    unspaced: [
      '必须|不要|不能|不得|只能|总是|一律|禁止|务必|必ず|しないで|してはいけ|だけ|のみ|절대|반드시|항상|하지 ?마|만 사용',
    ],
  },

  /** Joins a sentence to the one before, and says nothing. */
  connective: {
    first: [
      '(?:also|and|plus|oh|well|then|so|by the way|btw|fyi|one (?:more|last|other) thing|before i forget|for the record|(?:and )?this matters|note that|remember that|und|auch|y|además|et|aussi|alors)(?=[, ])',
    ],
  },

  /** Withdraws what was said before; the words after it say what. */
  retraction: {
    first: ['forget|scrap|never mind|ignore what|vergiss|olvida|oublie|dimentica|забудь'],
    anywhere: [
      "no longer|any ?more|any longer|not any|after all|off the table|is gone|need(?:s)? not|doesn'?t apply|instead of|you (?:may|can) [^,.;]{0,60}(?:again|now)|nicht mehr|ya no|ne [^,.;]{0,40}plus|non [^,.;]{0,40}più|больше не",
    ],
    unspaced: ['不再|もう.{0,20}ない|더 이상'],
  },

  /** Makes an instruction a rule: it is about every case, or says what not to do. */
  general: {
    first: [
      // How to answer: "List the costs with tax", "Explain it in one paragraph".
      `(?:please )?(?:${speech})(?! me (?:about|what|why|how|where|who|whether))(?: [^,.;]{0,60})? (?:in (?:an? |one |two )?(?:short|full|detail|general|plain|simple|sentence|paragraph|order|\\p{L}+(?:ish|s))|(?:with|without|by|as|like) (?!(?:the|this|that|these|those|it|my|our|your|all|any) )(?:an? |its |his |her |their )?\\p{L}+)(?: \\p{L}+)?(?=[.,!?;]|$)`,
      `(?:please )?(?:use|verwende|benutze|nimm|usa|utiliza|utilise|gebruik|используй)|(?:please )?(?:${verbs}) (?!(?:the|this|that|it|its|me|us|my|our|your|an?|tests?) )(?:\\p{L}{2,14} )?\\p{L}{3,20}s(?= )`,
    ],
    anywhere: [
      'each|every|any|anything|everything|everywhere|whenever|when|wherever|until|before \\p{L}+ing|together with|as (?:far|long|soon) as|by default|per|(?:first|last)(?=[.!,?]|$)|(?:at|on|to) (?:the )?(?:top|bottom|beginning|end)(?: of|(?=[.!,?]|$))|if (?:you|a|an|it|something)',
      '(?:not|never|nicht|pas|não|non|nie|не|no)(?<=, (?:not|never|nicht|pas|não|non|nie|не|no))',
      // Habits and extremes: "Call at night", "Take the smallest".
      'whatever|however|during|at (?:night|home|work)|in (?:winter|summer|spring|autumn)|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|mornings|evenings|the (?!(?:lat|new|old)est|requests?|tests?|rest|west)(?:\\p{L}{3,12}est|most|least|best)(?= )|(?:as|since|because) (?:i|we|my|our)',
      // Generic nouns: "Include the postcode in addresses".
      '(?:in|on|with|between|before|after|at) (?!(?:the|this|that|these|those|my|our|your|his|her|its|their|some|more|two|three) )(?:\\p{L}{2,14} )?\\p{L}{2,20}[^\\Wsui]s(?=[.,!?;]|$)',
      // A reason of one's own: "Plan around it, I work then".
      '(?:i|we|my|our|ich|wir|je|yo)(?<=, (?:i|we|my|our|ich|wir|je|yo))|where(?:ver)? possible|if possible|as \\p{L}+ as possible',
      'jede[rsnm]?|bevor|statt|cada|en vez de|chaque|avant de|ogni|elk[e]?|кажд(?:ый|ая|ое|ую)',
    ],
    unspaced: ['每次|每个|都要|毎回|すべて|매번|모든'],
  },

  /** A rule that is phrased as a fact: "We use tabs." */
  statedRule: {
    first: [
      'we (?:use|run|target|support|ship|follow|only|stay|keep)|our (?:\\p{L}+ ){1,3}(?:is|are)',
    ],
    anywhere: [
      "should(?:n'?t)?|should not|ought to|supposed to|ha(?:s|ve) to|need(?:s|ed)? to|is to be|are to be|stays?|remains?|everywhere|throughout",
      '(?:is|are) (?:the )?(?:maximum|minimum|limit|deadline|budget|frozen|read-?only|fixed|final|enough|optional|required|fine|allowed|banned|due)',
      '(?:maximum|minimum|limit|deadline|budget|allowance)(?: \\p{L}+){0,3} (?:is|are|of)|no later|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|tonight|noon|end of)',
      '(?:every|each|all|any) (?!i |you |we |of )(?:\\p{L}+ ){1,4}(?:is|are|has|have|gets?|goes?|ends?|begins?|starts?|uses?|comes?)',
      'soll|sollen|sollte|bleibt|bleiben|devrait|doivent|reste|debería|tiene que|deveria|tem que|dovrebbe|следует|нужно|надо',
    ],
    unspaced: ['应该|应当|需要|べき|なければ|ください(?:ね)?。?$|해야'],
  },

  preference: {
    first: [
      'please use|ideally|preferably|i was hoping|it would (?:be (?:nice|good|great|best|helpful)|help)(?: me)? if',
    ],
    anywhere: [
      "(?:i|we) (?:(?:really |always |usually |would |much )?(?:prefer|like|love|hate|dislike|want|need))|(?:i|we)'?d (?:like|rather|prefer|love)",
      "favou?rite|prefer(?:ably|red|ence)?|(?:i|we)(?:'m| am|'re| are) (?:a fan of|allergic to|fond of|vegetarian|vegan)|rather than|instead of|(?:i|we) (?:don'?t|do not) (?:want|like|need)",
      "lieber|bevorzuge|am liebsten|ich (?:möchte|mag|will|hätte gern)|je (?:préfère|voudrais|veux)|j'aime|j'aimerais|de préférence",
      'prefiero|me gusta(?:ría)?|quiero|quisiera|preferiblemente|prefiro|gosto|quero|preferisco|vorrei|mi piace|liever|предпочитаю|хочу|мне нравится',
    ],
    unspaced: ['喜欢|想要|希望|偏好|最好|好き|がいい|ほしい|たい(?:です)?。?$|좋아|원해|싶'],
  },

  task: {
    first: [
      `(?:(?:please|can you|could you|would you|will you|let'?s|now|then|next|first|finally|also|and|so|ok|okay|alright|well|great|i (?:want|need|would like|'d like) you to|help me)[, ]{1,2}){0,4}(?:${verbs})`,
      "(?:i|we) (?:want|need) (?:you )?to|i(?:'d| would) like (?:you )?to|your task is|the task is",
      'bitte|kannst du|könntest du|mach|erstelle|schreib|füge|behebe|peux-tu|pouvez-vous|merci de|ajoute|corrige|écris|crée|explique',
      'por favor|puedes|podrías|agrega|añade|arregla|crea|escribe|explica|você pode|adicione|corrija|puoi|aggiungi|correggi|kun je|voeg|maak|пожалуйста|добавь|исправь|сделай|напиши|объясни',
    ],
    unspaced: ['^(?:请|帮我|麻烦|给我)|してください|してほしい|お願い|해 ?줘|해 ?주세요|부탁'],
  },

  request: {
    first: [
      "how about|what about|why (?:not|don'?t (?:you|we))",
      '(?:would|is) it (?:be )?(?:possible|ok|okay|fine|all right)(?: for you)? (?:to|if)|(?:may|might|can|could) i (?:kindly )?(?:ask|have|get|see)(?: you)?(?: (?:to|for))?|do you think you (?:could|can)|would you be (?:so kind|able) (?:as )?(?:to|and)|any chance (?:that )?you (?:could|can)',
      'would you mind|(?:please[, ]{1,2})?(?:can|could|would|will) (?:you|we)(?:,? (?:please|kindly|perhaps|maybe))?(?! (?:be|have|agree|say|think|know|like|prefer|want))|kannst du|könntest du|peux-tu|pouvez-vous|puedes|podrías|você pode|puoi|kun je|можешь',
    ],
    unspaced: ['^(?:能不能|可以帮|能帮|可不可以)|してくれ|もらえ|해 ?줄래|해 ?주실'],
  },

  /** A decision of a person; models write such sentences all the time. */
  choice: {
    first: [
      "(?:(?:ok|okay|fine|then|so|well)[, ]{1,2}){0,2}(?:(?:we|let'?s|i)(?:'ll| will)? )?(?:go (?:with|for)|take|pick|choose)(?! (?:a look|care|note|over|through|into))|(?:option|plan|variant|number|choice) (?:\\d{1,2}|[a-e]|one|two|three|four|five)|settled|dann nehmen|vamos con|me quedo con|on part sur",
    ],
    anywhere: [
      "it is(?=[.!]?$)|made up my mind|(?:that|this) is final|i(?:'ve| have)? picked|(?:we|i) (?:go|went) with|we(?:'re| are) (?:moving|switching|going) to|i(?:'m| am) (?:moving|switching|signing|staying|sticking)|we (?:drop|rent|take|buy|build)",
    ],
  },

  decision: {
    anywhere: [
      "decided?|decision|we(?:'ll| will| are going to|'re going to) (?:go with|use|keep|drop|do|take)|let'?s (?:go with|use|keep|do it)|agreed|settled on|chose|chosen|going with|i(?:'ll| will) (?:go with|take)",
      'the (?:root )?cause (?:is|was)|turns out|fixed by|the (?:fix|solution|problem|bug|reason) (?:is|was)',
      'entschieden|entscheidung|beschlossen|wir nehmen|décidé|décision|on prend|decidido|decidimos|decisión|decidiu|deciso|besloten|решили|решено|решение',
    ],
    unspaced: ['决定|采用|就用|决策|決定|決めた|にする(?=[。\\s]|$)|결정|하기로'],
  },

  confirmation: {
    first: [
      "yes|yep|yeah|yup|ok|okay|sure|go ahead|do it|go for it|sounds good|looks good|lgtm|perfect|great|correct|exactly|right|approved?|agreed|that works|that'?s (?:right|fine|correct|it)|fine|ship it",
      "ja|genau|klar|einverstanden|passt|oui|d'accord|parfait|sí|vale|de acuerdo|claro|perfecto|sim|certo|va bene|prima|да|хорошо|согласен|давай",
    ],
    unspaced: ['^(?:好的?|可以|行|没问题|对|是的|はい|いいです|了解|네|좋아요?|그래)'],
  },

  proposal: {
    first: ['(?:shall|should) (?:i|we)|option \\p{L}'],
    anywhere: [
      "i(?:'d| would)? (?:suggest|propose|recommend|advise)|would you like|shall (?:i|we)|should (?:i|we)(?= .*\\?)|do you want|options? (?:are|is)|(?:we|i|you) could|my (?:suggestion|proposal|recommendation)",
      'ich (?:schlage|empfehle)|soll ich|möchtest du|je (?:propose|suggère|recommande)|voulez-vous|veux-tu|propongo|sugiero|recomiendo|quieres que|sugiro|proponho|propongo|ik stel voor|предлагаю|рекомендую',
    ],
    unspaced: ['建议|要不要|是否需要|提案|しましょうか|제안|할까요'],
  },

  commitment: {
    anywhere: [
      "i(?:'ll| will| am going to|'m going to| shall)|next,? i|let me|we(?:'ll| will)|i promise",
      'ich werde|ich mache|lass mich|je vais|voy a|haré|vou|farò|ik zal|ik ga|я сделаю|сейчас я|я буду',
    ],
    unspaced: ['我会|我将|让我|接下来|します。?$|ましょう。?$|하겠습니다|할게요'],
  },

  greeting: {
    first: [
      'hi|hello|hey|thanks?|thank you|good (?:morning|afternoon|evening|night)|bye|cheers|hallo|danke|guten|bonjour|salut|merci|hola|gracias|buenos|olá|obrigad[oa]|ciao|grazie|bedankt|привет|спасибо',
    ],
    unspaced: ['^(?:你好|谢谢|こんにちは|ありがとう|안녕|감사)'],
  },
} as const

/** Starts with a word that only the surrounding sentences explain. */
export const refersToContext: RegExp =
  /^[¿¡"“(]?(?:it|it's|its|this|that|that's|these|those|they|there|then|here|so|because|and|but|or|he|she|which|still|also|now|maybe|perhaps|well|es|das|dies|diese|dann|dort|hier|und|aber|oder|weil|sie|er|ça|cela|ce|c'est|ils|elles|il|elle|et|mais|donc|alors|eso|esto|esta|este|ellos|entonces|pero|porque|y|isso|isto|então|mas|e|questo|quello|allora|ma|dit|dat|het|dan|maar|en|это|этот|они|оно|потом|но|и)(?![a-z0-9_\u00df-\u024f\u0400-\u04ff])|^(?:这|那|它|他们|然后|但是|所以|これ|それ|あれ|그것|이것|그래서)/

/** Expresses an opinion or a doubt. */
export const isOpinion: RegExp =
  /(?<![a-z])(?:i (?:think|guess|suppose|believe|wonder|feel|see|saw|found|noticed|mean|know)|i (?:don't|do not|can't|cannot) (?:know|understand|see|remember|tell)|i'm (?:not sure|wondering|thinking|looking|trying)|i am (?:not sure|wondering|thinking|looking|trying)|seems?|sounds?|looks? like|maybe|perhaps|probably|might|ich (?:denke|glaube|finde)|vielleicht|je (?:pense|crois)|peut-être|creo|quizás|tal vez|acho|talvez|penso|forse|denk ik|misschien|думаю|может быть|наверное)(?![a-z])|我觉得|也许|可能|と思う|かもしれ|생각/

/** Describes the past, so it is no rule for now. */
export const isPastTense: RegExp =
  /(?<![a-z])(?:was|were|had|did|didn't|wasn't|weren't|went|got|came|tried|failed|happened|worked|changed|fixed|broke|looked|said|told|asked|war|waren|hatte|hatten|wurde|était|étaient|avait|era|estaba|había|foi|aveva|had|был|была|были|было)(?![a-z])/
