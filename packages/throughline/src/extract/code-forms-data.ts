/** Statements of JavaScript and TypeScript files, as tools print them. */

/** Some tools print a line number before each line. */
const lineStart = '^[ \\t]{0,8}(?:\\d{1,7}[ \\t]{0,4}[→:|\\t] {0,2})?'

export const exportStatement = new RegExp(
  `${lineStart}export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:(?:const enum|const|let|var|function\\*?|class|interface|type|enum|namespace) ([\\p{L}_$][\\p{L}\\p{N}_$]{0,80})|(?:type )?\\{([^}]{0,2000})\\})`,
  'gmu',
)

export const importStatement = new RegExp(
  `${lineStart}(?:(?:import|export)\\b[^'"();]{0,1000}? from ['"]([^'"\\n]{1,300})['"]|import ['"]([^'"\\n]{1,300})['"]|(?:const|let|var) [^=\\n]{1,200}= require\\(['"]([^'"\\n]{1,300})['"]\\))`,
  'gm',
)
