import { overview as words } from '../../text/en/app/overview';
import { optionsOf } from '../../ui/format';
import { Filter, useListSearch } from '../../ui/filters';

const measures = ['conversions', 'clicks', 'revenue'] as const;

/** What the lines of a page measure, as the address says; sales where it says nothing. */
export function useMeasure() {
  const { search } = useListSearch();
  return measures.find((one) => one === search['metric']) ?? 'conversions';
}

export function MeasureFilter() {
  return (
    <Filter
      call="analytics.getTrend"
      field="metric"
      usual="conversions"
      label={words.measure}
      options={optionsOf(measures, words.measures)}
    />
  );
}
