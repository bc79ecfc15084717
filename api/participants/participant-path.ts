/** What every route of one participant has in common. */
export const participantsPath = '/api/v1/programs/:programId/partners';
export const participantPath = `${participantsPath}/:participantId`;

export const participantParams = {
  programId: 'PROGRAM_NOT_FOUND',
  participantId: 'PARTICIPANT_NOT_FOUND',
} as const;

export const participantNotFound = ['PROGRAM_NOT_FOUND', 'PARTICIPANT_NOT_FOUND'] as const;

/** Of routes that answer a participant with its sums. */
export const participantErrors = [...participantNotFound, 'AMOUNT_TOO_LARGE'] as const;

export const participantsTag = 'Partners';
