import {authenticationRequired} from '../../domain/errors.ts';

/** The ways in which a credential is not good. Callers compare these words. */
export const incorrectPassword = () => authenticationRequired('Incorrect password');
export const expiredSignature = () => authenticationRequired('Expired Signature');
export const invalidToken = () => authenticationRequired('Invalid token');
export const accountDeactivated = () => authenticationRequired('This account has been deactivated');
