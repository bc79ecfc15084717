pip install https://api.example.com/client/affiliate_programme_client-0.2.0-py3-none-any.whl
