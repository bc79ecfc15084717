/** What every route of one participant has in common. */
export const participantsPath = '/api/v1/programs/:programId/partners';
export const participantPath = `${participantsPath}/:participantId`;

export const participantParams = {
  programId: 'PROGRAM_NOT_FOUND',
  participantId: 'PARTICIPANT_NOT_FOUND',
} as const;

export const participantsTag = 'Partners';
