import { taskQueues } from '../../runtime/temporal/messages';
import { alarms as all, metricsOf, panels, read } from '../support/alarms';

/** The alarms that say that something is wrong. */
const alarms = () => all().filter(({ labels }) => labels.severity !== 'none');

const flat = (expr: string): string => expr.replace(/\s+/g, ' ').replace(/\( /g, '(').trim();
const headings = (file: string): string[] =>
  [...read(file).matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );

describe('operate/alarms.yml', () => {
  it('has the twenty-three alarms, and one that always fires', () => {
    expect(all()).toHaveLength(24);
    expect(all().filter(({ labels }) => labels.severity === 'none')).toEqual([
      expect.objectContaining({ alert: 'Watchdog', expr: 'vector(1)' }),
    ]);
  });

  it('has an alarm for each queue that nobody serves', () => {
    const unserved = alarms().find(({ alert }) => alert === 'QueueUnserved')?.expr ?? '';
    for (const queue of Object.values(taskQueues)) {
      expect(unserved).toContain(`absent(temporal_num_pollers{task_queue="${queue}"})`);
    }
  });

  it.each(alarms())('$alert parses, is a page or a ticket, and names a heading', (alarm) => {
    expect(metricsOf(alarm.expr)).not.toEqual([]);
    expect(['page', 'ticket']).toContain(alarm.labels.severity);
    const [file = '', heading] = alarm.annotations.runbook.split('#');
    expect(headings(file)).toContain(heading);
  });

  it.each(alarms())('$alert has a test in which it fires', ({ alert }) => {
    const tests = read('operate/alarms.test.yml');
    expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n +eval_time: \\S+\\n +exp_alerts:`));
  });

  it('misses each of their metrics when it is absent', () => {
    const absent = alarms().find(({ alert }) => alert === 'ProcessAbsent')?.expr ?? '';
    const unwatched = alarms()
      .flatMap(({ expr }) => metricsOf(expr))
      .filter((metric) => !absent.includes(`absent(${metric}`) && metric !== 'figures_age_seconds');
    expect([...new Set(unwatched)]).toEqual(['db_replica_lag_seconds']);
  });

  it('does not take what does not parse', () => {
    expect(() => metricsOf('sum(rate(x[5m]) > 1')).toThrow('does not parse');
  });
});

describe('operate/dashboard.json', () => {
  it('has a panel for each alarm, of expressions that are in it', () => {
    const named = new Map(alarms().map(({ alert, expr }) => [alert, flat(expr)]));
    expect(panels().map(({ title }) => title)).toEqual([...named.keys()]);
    for (const { title, targets } of panels()) {
      for (const { expr } of targets) expect(named.get(title)).toContain(flat(expr));
    }
  });
});
