/** A PDF with one page and a short text. */
export const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 43>>stream
BT /F1 24 Tf 50 150 Td (Good morning) Tj ET
endstream endobj
trailer<</Root 1 0 R>>
`

const FILLS = { red: '1 0 0', green: '0 1 0', blue: '0 0 1' }

/** A PDF with one page for each colour; `top red` leaves the lower half white. */
export function coloursPdf(
  pages: readonly (keyof typeof FILLS | 'top red')[],
  [width, height] = [200, 300],
): string {
  const ids = pages.map((_, at) => 3 + 2 * at)
  const objects = pages.flatMap((page, at) => {
    const id = 3 + 2 * at
    const isTop = page === 'top red'
    const [fill, bottom] = isTop ? [FILLS.red, height / 2] : [FILLS[page], 0]
    const content = `${fill} rg 0 ${bottom} ${width} ${height} re f`
    return [
      `${id} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${id + 1} 0 R>>endobj`,
      `${id + 1} 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
    ]
  })
  return [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    `2 0 obj<</Type/Pages/Kids[${ids.map((id) => `${id} 0 R`).join(' ')}]/Count ${ids.length}>>endobj`,
    ...objects,
    'trailer<</Root 1 0 R>>',
    '',
  ].join('\n')
}
