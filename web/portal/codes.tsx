import { text } from '../text/en';
import { links as words } from '../text/en/portal/links';
import { discountInWords } from '../ui/discount';
import { Table } from '../ui/table';
import { Copyable } from '../ui/values';
import type { OwnCodeDto } from '../session/records';

/** The codes that buyers type: what each takes off, and where. */
export function Codes({ of }: { of: readonly OwnCodeDto[] }) {
  return (
    <Table
      caption={words.codes}
      columns={[
        { title: words.code, cell: ({ code }) => <Copyable value={code} /> },
        { title: text.discounts.one, cell: ({ discount }) => discountInWords(discount) },
        { title: words.worksWhere, cell: placesOf },
      ]}
      rows={of}
      rowKey={({ code }) => code}
      empty={text.nothing}
    />
  );
}

function placesOf({ billers }: OwnCodeDto): string {
  if (billers.length === 0) return words.worksByHand;
  return billers
    .map(({ biller, status }) => `${text.billers[biller]}: ${words.worksStates[status]}`)
    .join(', ');
}
