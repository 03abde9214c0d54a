import { DocumentProblem } from './document-problem.ts'
import { scanXml } from './scan-xml.ts'

/**
 * Scans an XML file of a document with `scanXml`.
 *
 * @param isCut whether the text is only the beginning of the file
 * @throws DocumentProblem if it is not XML
 */
export function scanDocument(
  xml: string,
  listen: Parameters<typeof scanXml>[1],
  isCut = false,
): void {
  scanXml(xml, listen, (cause) => new DocumentProblem('broken', { cause }), isCut)
}
