/** Renders the API description as a single HTML page without scripts or external files. */
import { html, raw } from 'hono/html'
import type { OpenApi, Operation } from './openapi.ts'

/** @param nonce for the page's style */
export async function docsPage(api: OpenApi, nonce: string): Promise<string> {
  const rows = Object.entries(api.paths).flatMap(([address, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ address, method, operation })),
  )
  const tags = [...new Set(rows.flatMap(({ operation }) => operation.tags))]
  const base = api.servers[0]?.url ?? '/'
  return String(
    await html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>filemgr API</title>
<style nonce="${nonce}">${raw(STYLE)}</style>
<header>
  <h1>filemgr API</h1>
  <p>${inlineCode(String(api.info.description))}</p>
  <p>Addresses begin at <code>${base}</code>. The same as data: <a href="openapi.json">openapi.json</a>.</p>
  <nav>${tags.map((tag) => html`<a href="#${anchor(tag)}">${tag}</a>`)}</nav>
</header>
<main>
${tags.map(
  (tag) => html`<section id="${anchor(tag)}">
<h2>${tag}</h2>
${rows
  .filter(({ operation }) => operation.tags.includes(tag))
  .map(
    ({ address, method, operation }) => html`<details>
<summary><b data-method="${method}">${method}</b> <code>${address}</code> <span>${inlineCode(operation.summary)}</span></summary>
${described(operation)}
</details>
`,
  )}</section>
`,
)}
</main>
</html>
`,
  )
}

function anchor(tag: string): string {
  return tag.replaceAll(' ', '-')
}

function described(operation: Operation) {
  const { parameters, requestBody, responses } = operation
  return html`<p>For ${NEEDS[operation['x-needs']] ?? html`holders of the right <code>${operation['x-needs']}</code>`}.</p>
${
  parameters.length > 0 &&
  html`<h3>Parameters</h3><table>${parameters.map(
    ({ name, in: location, description }) =>
      html`<tr><th><code>${name}</code><td>${location}<td>${inlineCode(description)}`,
  )}</table>`
}
${requestBody && html`<h3>Body</h3>${contents(requestBody.content)}`}
<h3>Responses</h3><table>${Object.entries(responses).map(
    ([status, { description, content }]) =>
      html`<tr><th>${status}<td>${inlineCode(description)}${content?.['application/json'] && contents(content)}`,
  )}</table>`
}

const NEEDS: Record<string, string> = { anyone: 'anyone', session: 'anyone signed in' }

function contents(content: Record<string, { schema: object }>) {
  return Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json'
      ? html`<pre>${JSON.stringify(schema, null, 2)}</pre>`
      : html`<p><code>${type}</code></p>`,
  )
}

/** Renders text with backticks as code. */
function inlineCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-inline-size: 60rem; padding: 1.5rem; }
h1, h2 { line-height: 1.2; text-wrap: balance; }
h2 { margin-block: 2rem 0.5rem; text-transform: capitalize; }
h3 { margin-block: 1rem 0.25rem; font-size: 1rem; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
details { border-block-start: 1px solid light-dark(#ddd, #444); padding-block: 0.4rem; }
summary { cursor: pointer; }
summary span { color: light-dark(#555, #aaa); }
b { display: inline-block; inline-size: 4.5em; text-transform: uppercase; font-size: 0.8em; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.92em; overflow-wrap: anywhere; }
pre { overflow: auto; max-block-size: 24rem; padding: 0.75rem; border-radius: 6px; background: light-dark(#f5f5f5, #222); }
table { border-collapse: collapse; }
th, td { text-align: start; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; }
a { color: light-dark(#1d4ed8, #93b4ff); }
`
