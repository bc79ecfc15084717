import { Email, Int, Text } from '../http/contract/validators';

const formTime = { min: 1_500, max: 1_800_000 };

/** The fields are checked in this order, each with a code of its own. */
export class WaitlistSignupBody {
  @Text({
    max: 0,
    optional: true,
    nullable: true,
    description: 'Leave it empty: a field that people do not see and programs fill in.',
    example: '',
  })
  website?: string | null;

  @Int({
    ...formTime,
    description: 'Milliseconds from the form being shown to its being sent.',
    example: 8_200,
  })
  elapsedMs!: number;

  @Email({ example: 'visitor@example.com' })
  email!: string;
}

export class WaitlistCountDto {
  @Int({ min: 0, description: 'Places taken, never more than there are.', example: 137 })
  taken!: number;

  @Int({ min: 0, description: 'Places in all.', example: 500 })
  total!: number;
}
