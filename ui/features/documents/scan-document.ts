import { scanXml } from '#wire/formats/scan-xml.ts'
import { DocumentProblem } from './problem.ts'

/**
 * Scans an XML file of a document with `scanXml`.
 *
 * @throws DocumentProblem if it is not XML
 */
export function scanDocument(xml: string, listen: Parameters<typeof scanXml>[1]): void {
  scanXml(xml, listen, (cause) => new DocumentProblem('broken', { cause }))
}
