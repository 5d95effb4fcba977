import { formatUsd } from '@gateway/money';
import PdfDocument from 'pdfkit';
import type { MonthlyStatement } from './find-statement.service.js';
import { proofOf } from './statement-view.js';

type Pdf = InstanceType<typeof PdfDocument>;

const MARGIN = 56;
const ROW = 20;
const INK = '#1a1a1a';
const GREY = '#6b6b6b';
const LINE = '#d9d9d9';
const FIGURES = 'Courier';
const TEXT = 'Helvetica';
const BOLD = 'Helvetica-Bold';

/** The built-in fonts have Latin letters only. */
const latin = (text: string): string => text.replace(/[^\x20-\x7e\xa1-\xff]/g, '?');

/** Nine decimals, so that the points of a column stand below each other. */
function figure(nanoUsd: bigint): string {
  const [whole = '', fraction = ''] = formatUsd(nanoUsd).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(9, '0')}`;
}

const right = (pdf: Pdf): number => pdf.page.width - MARGIN;

function rule(pdf: Pdf, y: number): void {
  pdf.moveTo(MARGIN, y).lineTo(right(pdf), y).lineWidth(0.5).strokeColor(LINE).stroke();
}

interface Row {
  readonly label: string;
  readonly detail?: string;
  readonly amount: string;
  readonly isTotal?: boolean;
}

/** A row with its amount at the right edge; a new page if there is no room. */
function writeRow(pdf: Pdf, { label, detail = '', amount, isTotal = false }: Row): void {
  if (pdf.y + ROW > pdf.page.height - MARGIN - ROW) pdf.addPage();
  const { y } = pdf;
  if (isTotal) rule(pdf, y - 5);
  const font = isTotal ? BOLD : TEXT;
  pdf
    .font(font)
    .fontSize(10)
    .fillColor(INK)
    .text(latin(label), MARGIN, y, { width: 230, lineBreak: false, ellipsis: true });
  pdf
    .font(TEXT)
    .fillColor(GREY)
    .text(latin(detail), MARGIN + 210, y, { width: 90, align: 'right', lineBreak: false });
  pdf.font(isTotal ? `${FIGURES}-Bold` : FIGURES).fillColor(INK);
  pdf.text(amount, MARGIN + 300, y, { width: right(pdf) - MARGIN - 300, align: 'right', lineBreak: false });
  pdf.y = y + ROW;
}

function writeHeading(pdf: Pdf, title: string): void {
  pdf.moveDown(1);
  if (pdf.y + 3 * ROW > pdf.page.height - MARGIN) pdf.addPage();
  pdf.font(BOLD).fontSize(11).fillColor(INK).text(title, MARGIN, pdf.y);
  pdf.moveDown(0.4);
  rule(pdf, pdf.y);
  pdf.y += 8;
}

const NAMED = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;

/** A time as the account's clock shows it, such as `2026-11-01 00:00`. */
const clock = (time: Date, timeZone: string): string =>
  time.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });

type Head = Pick<MonthlyStatement, 'account' | 'from' | 'to' | 'isFinal'>;

/** Whose statement it is, of what time, and how to read it. */
export function headLines({ account, from, to, isFinal }: Head): readonly string[] {
  const { name, email, id, timeZone } = account;
  return [
    ...(name === '' ? [] : [name]),
    `${email} · ${id}`,
    `${clock(from, timeZone)} to ${clock(to, timeZone)} (${timeZone})`,
    ...(isFinal ? [] : ['Provisional: the month has not ended.']),
    'All amounts are in USD, with nine decimals.',
  ];
}

function writeHead(pdf: Pdf, { month, ...head }: MonthlyStatement): void {
  const title = new Date(`${month}-15`).toLocaleDateString('en', NAMED);
  pdf.font(BOLD).fontSize(20).fillColor(INK).text(`Statement for ${title}`, MARGIN, MARGIN);
  pdf.moveDown(0.5).font(TEXT).fontSize(10).fillColor(GREY);
  for (const line of headLines(head)) pdf.text(latin(line));
}

function writeTotals(pdf: Pdf, statement: MonthlyStatement): void {
  writeHeading(pdf, 'Balance');
  writeRow(pdf, { label: 'Opening balance', amount: figure(statement.openingNanoUsd) });
  writeRow(pdf, { label: 'Top-ups', amount: figure(statement.topUpsNanoUsd) });
  writeRow(pdf, { label: 'Adjustments', amount: figure(statement.adjustmentsNanoUsd) });
  writeRow(pdf, { label: 'Charges', amount: figure(statement.chargesNanoUsd) });
  writeRow(pdf, { label: 'Closing balance', amount: figure(statement.closingNanoUsd), isTotal: true });
}

export const requestCount = (requests: bigint): string =>
  requests === 1n ? '1 request' : `${requests.toLocaleString('en')} requests`;

function writeCharges(pdf: Pdf, { models, chargesNanoUsd }: MonthlyStatement): void {
  writeHeading(pdf, 'Charges by model');
  if (models.length === 0) writeRow(pdf, { label: 'No request was charged in this month.', amount: '' });
  for (const { model, requests, costNanoUsd } of models) {
    writeRow(pdf, { label: model, detail: requestCount(requests), amount: figure(costNanoUsd) });
  }
  writeRow(pdf, { label: 'Total', amount: figure(-chargesNanoUsd), isTotal: true });
}

/** Numbers the pages once their count is known. */
function writeFeet(pdf: Pdf): void {
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    pdf.page.margins.bottom = 0;
    pdf.font(TEXT).fontSize(8).fillColor(GREY);
    const options = { width: right(pdf) - MARGIN, align: 'right', lineBreak: false } as const;
    pdf.text(`Page ${page + 1} of ${count}`, MARGIN, pdf.page.height - MARGIN / 2, options);
  }
}

/** The statement as a PDF: balance, charges by model, and its comparison with the ledger. */
export function statementPdf(statement: MonthlyStatement): Pdf {
  const info = { Title: `Statement ${statement.month}`, CreationDate: statement.to, Author: 'Unified Model Gateway' };
  const pdf = new PdfDocument({ size: 'A4', margin: MARGIN, bufferPages: true, info });
  writeHead(pdf, statement);
  writeTotals(pdf, statement);
  writeCharges(pdf, statement);
  pdf.moveDown(1).font(BOLD).fontSize(10).fillColor(INK);
  pdf.text(proofOf(statement), MARGIN, pdf.y);
  writeFeet(pdf);
  pdf.end();
  return pdf;
}
