import { Nested, OneOf } from '../http/contract/validators';

export class HealthDto {
  @OneOf(['ok'])
  status!: 'ok';
}

const states = ['up', 'down'] as const;

export class DependenciesDto {
  @OneOf(states)
  database!: 'up' | 'down';

  @OneOf(states)
  cache!: 'up' | 'down';

  @OneOf(states)
  temporal!: 'up' | 'down';
}

export class ReadinessDto {
  @OneOf(['ready', 'not_ready'])
  status!: 'ready' | 'not_ready';

  @Nested(() => DependenciesDto)
  dependencies!: DependenciesDto;
}
