import { AnyText, Text, Texts } from '../http/contract/validators';
import { maxTypedPassword, typedCode } from './auth.dto';

export class SetUpTwoFactorBody {
  @Text({ max: maxTypedPassword, example: 'a long password' })
  password!: string;
}

export class EnableTwoFactorBody {
  @Text({ ...typedCode, description: 'Six digits of the app.', example: '123456' })
  code!: string;
}

export class ConfirmedCodeBody extends SetUpTwoFactorBody {
  @Text({
    ...typedCode,
    description: 'Six digits of the app, or a recovery code.',
    example: '123456',
  })
  code!: string;
}

export class TwoFactorSetupDto {
  @AnyText({
    description: 'Base32, for an app that takes no QR code.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret!: string;

  @AnyText({
    description: 'What a QR code for the app holds.',
    example:
      'otpauth://totp/Affiliate%20Programme:mia%40example.com?issuer=Affiliate%20Programme&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  })
  otpauthUrl!: string;
}

export class RecoveryCodesDto {
  @Texts({
    description: 'Ten, each good for one time.',
    example: ['k3vd-8xqm-t2hz', 'b7rn-m4wc-9gyj'],
  })
  recoveryCodes!: string[];
}
