import { Trans } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { type Query, withQuery } from '../api/call.js';
import { buttonClasses } from './button.jsx';

interface ExportCsvProps {
  /** The path of a list that is also a CSV file. */
  readonly path: string;
  /** The filters of the list. */
  readonly query?: Query;
}

/** The whole list as a file, whatever of it is loaded. */
export const ExportCsv = ({ path, query = {} }: ExportCsvProps) => (
  <a href={withQuery(path, { ...query, format: 'csv' })} download className={buttonClasses()}>
    <Download aria-hidden />
    <Trans>Export CSV</Trans>
  </a>
);
